import { getManyValues, isMany, none } from 'stream-chain/defs.js';
import { Assembler } from 'stream-json/assembler.js';
import { jsonParser, type Token } from 'stream-json/parser.js';
import { EngineError } from '#lib/engines/engine';
import type { Draft, Spool, SpooledFile } from '#lib/engines/remote/spool';

/** Length above which a string may be a file, in characters. */
const LONG = 64 * 1024;
/** Length of the kept end of a long string that is not a file: the end of a log contains the progress. */
const TAIL = 4_000;
/** Maximum number of characters in a response, apart from files. */
const MOST_TEXT = 2_000_000;
const MOST_DEPTH = 100;

/** Maximum length of an escape sequence in JSON. */
const ESCAPE = 6;

/** Start of a string that holds a file: bare base64, or a data URL. */
const PACKED = /^(?:data:[^,"]{0,200};base64,)?(?=[A-Za-z0-9+/]{1000})/;

/**
 * Parses JSON whose strings may hold entire files, without keeping those in memory: a long string of base64, bare or in
 * a data URL, becomes a `SpooledFile`, which is also added to `files`. Other long strings are reduced to their
 * beginning and end. Throws `EngineError` for invalid JSON.
 */
export async function unpackJson(
  body: AsyncIterable<Uint8Array>,
  spool: Spool,
  files: SpooledFile[] = [],
): Promise<unknown> {
  const tokenize = jsonParser({ packStrings: false, streamKeys: false, streamNumbers: false });
  const decoder = new TextDecoder();
  const assembler = new Assembler();
  let string = new LongString(spool);
  let characters = 0;
  /** Number of characters that the tokenizer has buffered since its last token: of a name, a number or white space. */
  let kept = 0;
  let tail = '';

  /**
   * Appends the leading part of a text that belongs to the current file directly to it, bypassing the slow tokenizer.
   * Returns the rest.
   */
  function skipFile(text: string): string {
    const mayBeEscape = tail.includes('\\');
    tail = (tail + text).slice(-ESCAPE);
    if (!string.isFile || mayBeEscape) return text;
    const end = text.search(/["\\]/);
    string.add(end < 0 ? text : text.slice(0, end));
    return end < 0 ? '' : text.slice(end);
  }

  async function take(text: string | typeof none): Promise<void> {
    const read = text === none ? none : skipFile(text);
    const tokens = tokensOf(tokenize, read);
    kept = tokens.length > 0 || read === none ? 0 : kept + read.length;
    if (kept > MOST_TEXT) throw tooMuch();
    for (const token of tokens) {
      if (token.name === 'startString') string = new LongString(spool);
      else if (token.name === 'stringChunk') string.add(token.value);
      else if (token.name === 'endString') {
        const value = await string.end();
        string = new LongString(spool);
        if (typeof value === 'string') characters += value.length;
        else files.push(value);
        assembler.stringValue(value as string);
      } else {
        characters += 'value' in token ? String(token.value).length : 1;
        assembler.consume(token);
      }
      if (characters > MOST_TEXT || assembler.depth > MOST_DEPTH) throw tooMuch();
    }
    await string.flush();
  }

  try {
    for await (const chunk of body) await take(decoder.decode(chunk, { stream: true }));
    await take(decoder.decode());
    await take(none);
    if (!assembler.done || assembler.current === null) throw noJson();
    return assembler.current;
  } catch (error) {
    await string.drop();
    for (const { location } of files) await spool.drop(location);
    throw error;
  }
}

function tokensOf(tokenize: ReturnType<typeof jsonParser>, text: string | typeof none): Token[] {
  try {
    const tokens = tokenize(text as string);
    return isMany(tokens) ? getManyValues(tokens) : [];
  } catch (error) {
    throw noJson(error);
  }
}

const noJson = (cause?: unknown) => new EngineError('engine_error', 'an answer is no whole JSON', true, { cause });

const tooMuch = () => new EngineError('engine_error', 'an answer is longer or deeper than allowed', false);

/** A string that arrives in pieces: kept in memory while short, and written to a file when it holds one. */
class LongString {
  readonly #spool: Spool;
  #text = '';
  #file: Draft | undefined;
  /** End of a text that was cut; undefined while nothing is cut. */
  #tail: string | undefined;

  constructor(spool: Spool) {
    this.#spool = spool;
  }

  get isFile(): boolean {
    return this.#file !== undefined;
  }

  add(piece: string): void {
    if (this.#tail === undefined) this.#text += piece;
    else this.#tail = (this.#tail + piece).slice(-TAIL);
  }

  /** Writes the buffered part of a file, in complete groups of four base64 characters. */
  async flush(): Promise<void> {
    if (this.#tail !== undefined || this.#text.length <= LONG) return;
    if (!this.#file) {
      const start = PACKED.exec(this.#text)?.[0].length;
      if (start === undefined) {
        this.#tail = this.#text.slice(LONG).slice(-TAIL);
        this.#text = this.#text.slice(0, LONG);
        return;
      }
      this.#text = this.#text.slice(start);
      this.#file = await this.#spool.draft();
    }
    await this.#write(this.#text.length - (this.#text.length % 4));
  }

  async end(): Promise<string | SpooledFile> {
    await this.flush();
    if (!this.#file) return this.#text + (this.#tail ?? '');
    await this.#write(this.#text.length);
    return this.#file.finish();
  }

  /** Deletes an unfinished file. */
  async drop(): Promise<void> {
    await this.#file?.drop();
  }

  async #write(length: number): Promise<void> {
    const part = this.#text.slice(0, length);
    this.#text = this.#text.slice(length);
    await this.#file?.write(bytesIn(part));
  }
}

/**
 * Decodes base64 strictly: Node skips invalid characters, which shortens the result, and accepts the URL-safe alphabet.
 */
function bytesIn(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  const filling = text.endsWith('==') ? 2 : Number(text.endsWith('='));
  const rest = text.length % 4;
  const isWhole =
    (filling === 0 ? rest !== 1 : rest === 0) && bytes.length === Math.floor(((text.length - filling) * 3) / 4);
  if (!isWhole || text.includes('-') || text.includes('_'))
    throw new EngineError('engine_error', 'a file came as broken base64', true);
  return bytes;
}
