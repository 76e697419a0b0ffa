import { Readable } from 'node:stream';
import { z } from 'zod';
import { EngineError, type EngineContext, type EngineOutput, type EngineRef, type Snapshot } from '#lib/engines/engine';
import type { OutputSpec } from '#lib/output-spec';
import type { EngineHttp } from '#lib/engines/engine-http';
import { sniffOutput, typeOfName, USUAL_TYPES } from '#lib/engines/output-type';
import { createSpool, isSpooled, SpooledFile } from '#lib/engines/remote/spool';
import { unpackJson } from '#lib/engines/remote/unpack-json';
import { parseDataUrl } from '#lib/media/data-url';
import { SNIFF_BYTES } from '#lib/media/sniff';
import { UnusableMedia } from '#lib/media/unusable-media';

/** Facts about a job that a poll needs besides its id; saved in its ref. */
export const JobNotes = z.object({
  output: z.custom<OutputSpec>(value => typeof value === 'object' && value !== null),
  /** Path of the result in the response, such as `output.0` or `images.0.url`; defaults to the first file. */
  at: z.string().optional(),
});
export type JobNotes = z.infer<typeof JobNotes>;

interface Found {
  file: SpooledFile | string;
  contentType?: string | undefined;
  width?: number | undefined;
  height?: number | undefined;
}

/** Maximum size of a data URL in an unpacked response; longer ones are spooled files. */
const DATA_URL_BYTES = 100_000;

/** Output files of remote jobs, found in responses. Files named by URL stay remote; others are kept until collected. */
export interface Results {
  /** Reads a JSON response and passes it to `use`. Files in it that did not become outputs are deleted afterwards. */
  read<T, R>(schema: z.ZodType<T>, body: AsyncIterable<Uint8Array>, use: (answer: T) => R | Promise<R>): Promise<R>;
  /** Keeps a response that is a file itself. */
  take(body: AsyncIterable<Uint8Array>): Promise<SpooledFile>;
  /** Finds the result of a job in its response; repeated calls return the same output. Throws when no file fits. */
  outputOf(ref: EngineRef, answer: unknown, notes: JobNotes): Promise<EngineOutput>;
  /** Like `outputOf`, as the final state of the job. */
  endOf(ref: EngineRef, answer: unknown, notes: JobNotes): Promise<Snapshot>;
  collect(output: EngineOutput, context: EngineContext): Promise<Readable>;
  /** Whether the output can still be collected; false for a kept file that was collected or deleted. */
  isThere(output: EngineOutput): boolean;
  /** Deletes a kept file that will not be collected. */
  drop(output: EngineOutput): Promise<void>;
  close(): Promise<void>;
}

export function createResults(http: EngineHttp): Results {
  const spool = createSpool();
  const outputs = new Map<string, EngineOutput>();

  /** Finds the first file in a response. */
  async function find(value: unknown): Promise<Found | undefined> {
    if (value instanceof SpooledFile) return { file: value };
    if (typeof value === 'string') return fromText(value);
    if (typeof value !== 'object' || value === null) return undefined;
    const { success, data } = FileObject.safeParse(value);
    if (success) {
      const file = await find(data.url);
      return file && { ...file, contentType: data.content_type, width: data.width, height: data.height };
    }
    for (const inner of Object.values(value)) {
      const found = await find(inner);
      if (found) return found;
    }
    return undefined;
  }

  async function fromText(text: string): Promise<Found | undefined> {
    if (/^https?:\/\//.test(text)) return { file: text };
    if (!text.startsWith('data:')) return undefined;
    try {
      return { file: await spool.take(Readable.from([parseDataUrl(text, DATA_URL_BYTES)])) };
    } catch (cause) {
      if (!(cause instanceof UnusableMedia)) throw cause;
      throw new EngineError('engine_error', 'the engine answered a broken data URL', true, { cause });
    }
  }

  /** Describes a file as an output. A file of the wrong kind is deleted. */
  async function described(found: Found, expected: OutputSpec): Promise<EngineOutput> {
    try {
      return describe(found, expected);
    } catch (error) {
      if (found.file instanceof SpooledFile) await spool.drop(found.file.location);
      throw error;
    }
  }

  const results: Results = {
    async read(schema, body, use) {
      const files: SpooledFile[] = [];
      try {
        const parsed = schema.safeParse(await unpackJson(body, spool, files));
        if (parsed.success) return await use(parsed.data);
        throw new EngineError(
          'engine_error',
          `an answer is not what it should be: ${z.prettifyError(parsed.error)}`,
          true,
        );
      } finally {
        const kept = new Set([...outputs.values()].map(({ location }) => location));
        for (const { location } of files) if (!kept.has(location)) await spool.drop(location);
      }
    },

    take: body => spool.take(body),

    async outputOf({ id }, answer, notes) {
      for (const [other, { location }] of outputs) if (!spool.holds(location)) outputs.delete(other);
      const known = outputs.get(id);
      if (known) return known;
      const found = await find(notes.at === undefined ? answer : valueAt(answer, notes.at));
      if (!found) throw new EngineError('engine_error', 'the job made no file', false);
      const output = await described(found, notes.output);
      if (spool.holds(output.location)) outputs.set(id, output);
      return output;
    },

    async endOf(ref, answer, notes) {
      try {
        return { state: 'succeeded', output: await results.outputOf(ref, answer, notes) };
      } catch (error) {
        if (error instanceof EngineError) return { state: 'failed', error };
        throw error;
      }
    },

    async collect({ location, contentType }, { signal }) {
      if (isSpooled(location)) return spool.collect(location);
      const bytes = await http.download(location, { signal });
      // a stream that is destroyed unread never started the generator that ends the download
      return Readable.from(checked(bytes, contentType), { objectMode: false }).once('close', () => bytes.destroy());
    },

    isThere: ({ location }) => !isSpooled(location) || spool.holds(location),
    drop: ({ location }) => spool.drop(location),

    async close() {
      outputs.clear();
      await spool.close();
    },
  };
  return results;
}

/** A file as services describe it. */
const FileObject = z.object({
  url: z.string(),
  content_type: z
    .string()
    .nullish()
    .transform(type => type ?? undefined),
  width: z
    .number()
    .nullish()
    .transform(width => width ?? undefined),
  height: z
    .number()
    .nullish()
    .transform(height => height ?? undefined),
});

const valueAt = (answer: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    return (value as Record<string, unknown>)[name];
  }, answer);

function describe(found: Found, { type, width, height, duration }: OutputSpec): EngineOutput {
  const { file } = found;
  const contentType = file instanceof SpooledFile ? file.contentType : expectedType(file, found.contentType, type);
  checkKind(contentType, type);
  return {
    contentType: contentType!,
    location: file instanceof SpooledFile ? file.location : file,
    width: found.width ?? width,
    height: found.height ?? height,
    ...(type !== 'image' && { duration }),
  };
}

function expectedType(address: string, declared: string | undefined, type: OutputSpec['type']): string {
  const said = declared?.split(';')[0]?.trim().toLowerCase() ?? '';
  return /^(image|video|audio)\//.test(said) ? said : (typeOfName(address) ?? USUAL_TYPES[type]);
}

function checkKind(contentType: string | null, kind: string): void {
  if (contentType?.startsWith(`${kind}/`)) return;
  const made = contentType ?? 'something that is no media';
  throw new EngineError('engine_error', `the job made ${made} where ${kind} was asked for`, false);
}

/** Passes on the bytes of a file, after checking that its signature matches the announced kind. */
async function* checked(bytes: AsyncIterable<Uint8Array>, contentType: string): AsyncGenerator<Uint8Array> {
  const kind = contentType.slice(0, contentType.indexOf('/'));
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of bytes) {
    if (!head) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < SNIFF_BYTES) continue;
    checkKind(sniffOutput(head), kind);
    yield head;
    head = undefined;
  }
  if (!head) return;
  checkKind(sniffOutput(head), kind);
  yield head;
}
