interface Page<T> {
  data: T[];
  next_cursor: string | null;
}

interface Asked {
  query?: { cursor?: string | number | readonly string[] | undefined } | undefined;
}

/**
 * Iterates over every entry of a list and fetches each page when it is needed:
 *
 *     for await (const request of each(pomona.listRequests, { query: { status: 'completed' } })) …
 */
export function each<T, I extends Asked>(list: (input?: I) => Promise<Page<T>>, input?: I): AsyncGenerator<T>;
export function each<T, I extends Asked>(list: (input: I) => Promise<Page<T>>, input: I): AsyncGenerator<T>;
export async function* each<T, I extends Asked>(list: (input: I) => Promise<Page<T>>, input?: I): AsyncGenerator<T> {
  let cursor: string | null | undefined;
  do {
    const page = await list({ ...input, query: { ...input?.query, ...(cursor && { cursor }) } } as I);
    yield* page.data;
    cursor = page.next_cursor;
  } while (cursor);
}
