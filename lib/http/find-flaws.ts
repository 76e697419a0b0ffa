import type { Issue } from '#lib/errors';
import { measureJson } from '#lib/http/measure-json';
import { mustBe, pointer } from '#lib/issue';

export const MAX_DEPTH = 64;
/** Maximum number of names and values together: processing costs more per value than per byte. */
export const MAX_VALUES = 10_000;
/** Maximum number of flaws reported; a hostile body can have thousands. */
const MOST_FLAWS = 10;

interface Place {
  value: unknown;
  path: string;
}

/** Returns an issue when JSON is clearly too deep or too large, before it is parsed. `findFlaws` checks exactly. */
export function findExcess(bytes: ArrayBuffer | Uint8Array, maxValues = MAX_VALUES): Issue | null {
  const most = { values: maxValues, depth: MAX_DEPTH + 1 };
  const { values, depth } = measureJson(bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes), most);
  if (depth > most.depth) return tooDeep();
  return values > most.values ? tooMany(maxValues) : null;
}

/**
 * Returns flaws that schemas do not check: NUL characters and lone surrogates, which Postgres cannot store, and more
 * depth or members than is safe to process. Breadth-first, so that deep nesting cannot overflow the stack.
 */
export function findFlaws(root: unknown, maxValues = MAX_VALUES): Issue[] {
  const flaws: Issue[] = [];
  let level: Place[] = [{ value: root, path: '' }];
  let values = 0;
  for (let depth = 0; level.length && flaws.length < MOST_FLAWS; depth++) {
    if (depth > MAX_DEPTH) return [tooDeep()];
    const next: Place[] = [];
    for (const { value, path } of level) {
      if (typeof value === 'string') flaws.push(...flawsOf(value, path));
      if (typeof value !== 'object' || value === null) continue;
      const members = Object.entries(value);
      values += members.length * (Array.isArray(value) ? 1 : 2);
      if (values > maxValues) return [tooMany(maxValues)];
      for (const [name, child] of members) {
        if (!Array.isArray(value)) flaws.push(...flawsOf(name, path, 'A member name'));
        next.push({ value: child, path: path + pointer(name) });
      }
    }
    level = next;
  }
  return flaws.slice(0, MOST_FLAWS);
}

const tooDeep = () => tooMuch(`at most ${MAX_DEPTH} levels deep; it is deeper`);
const tooMany = (most: number) => tooMuch(`of at most ${most} names and values; it has more`);
const tooMuch = (words: string): Issue => ({ path: '', message: `The body must be ${words}.` });

/** Returns the flaws of a text at `path`; `name` is what the message calls the text. */
export function flawsOf(text: string, path: string, name?: string): Issue[] {
  const naming = name === undefined ? {} : { name };
  if (text.includes('\0')) return [mustBe(path, 'text without NUL characters', text, naming)];
  return text.isWellFormed() ? [] : [mustBe(path, 'valid Unicode, without half of a surrogate pair', text, naming)];
}
