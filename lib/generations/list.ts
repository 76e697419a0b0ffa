import { and, desc, eq, ilike, inArray, lt, type SQL } from 'drizzle-orm';
import { db } from '#lib/db/client';
import { parseIdCursor, toPage, type Page } from '#lib/db/page';
import { requests } from '#lib/db/schema';
import type { Generation } from '#lib/generations/generation';
import type { Status } from '#lib/generations/status';

export interface GenerationFilter {
  limit: number;
  cursor?: string | undefined;
  status?: Status[] | undefined;
  architecture?: string | undefined;
  type?: Generation['type'][] | undefined;
  /** Words that the prompt must contain, in any case. */
  q?: string | undefined;
  ids?: string[] | undefined;
}

/** A page of the account's requests, newest first: ids are UUIDv7, so their order is that of time. */
export async function listGenerations(accountId: string, filter: GenerationFilter): Promise<Page<Generation>> {
  const cursor = parseIdCursor(filter.cursor);
  const conditions: (SQL | undefined)[] = [
    eq(requests.accountId, accountId),
    cursor === undefined ? undefined : lt(requests.id, cursor),
    filter.status && inArray(requests.status, filter.status),
    filter.architecture === undefined ? undefined : eq(requests.architecture, filter.architecture),
    filter.type && inArray(requests.type, filter.type),
    filter.ids && inArray(requests.id, filter.ids),
    ...words(filter.q).map(word => ilike(requests.prompt, `%${escapeLike(word)}%`)),
  ];
  const rows = await db()
    .select()
    .from(requests)
    .where(and(...conditions))
    .orderBy(desc(requests.id))
    .limit(filter.limit + 1);
  return toPage(rows, filter.limit, row => row.id);
}

const words = (text = ''): string[] => text.split(/\s+/).filter(Boolean);

const escapeLike = (word: string): string => word.replace(/[\\%_]/g, character => `\\${character}`);
