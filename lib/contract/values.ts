import '#lib/contract/without-eval';
import { z } from 'zod';

// Building blocks of bodies and parameters. Every error message states what is allowed. Patterns that not every language
// can compile, with lookahead or classes of Unicode, are refinements, which the OpenAPI document leaves out.

/** Maximum number of gems in one operation, so that sums stay far below 2^53. */
export const MOST_GEMS = 1_000_000_000;

export const described = <S extends z.ZodType>(description: string, schema: S) => schema.meta({ description });

/** A visible character: not white space, not a control character, not ignored by text renderers. */
export const VISIBLE = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}]/u;

/** Trimmed text of `from` to `to` characters, counted in code points as JSON Schema does. */
export function text(from: number, to: number) {
  const rule = from ? `text of ${from} to ${to} characters, one of them visible` : `text of at most ${to} characters`;
  return z
    .string(rule)
    .trim()
    .refine(value => (!from || VISIBLE.test(value)) && [...value].length >= from && [...value].length <= to, rule)
    .meta({ minLength: from, maxLength: to });
}

/** Text in one line. */
export function line(most: number) {
  const rule = `text of 1 to ${most} characters in one line, one of them visible`;
  return z
    .string(rule)
    .trim()
    .refine(value => VISIBLE.test(value), { abort: true })
    .min(1)
    .max(most)
    .refine(value => !/\p{Cc}/u.test(value));
}

const TAG = /^(?!\.{1,2}$)[^\p{Cc},/\\]{1,40}$/u;

/** A tag: one or a few words, normalised to lower case. */
export function tag() {
  const rule =
    'a tag, other than . and ..: 1 to 40 characters in one line, one of them visible, without commas or slashes';
  return (
    z
      .string(rule)
      .trim()
      .toLowerCase()
      // é can be one code point or an e with a combining accent, and both look the same
      .normalize('NFC')
      .refine(value => TAG.test(value) && VISIBLE.test(value), rule)
      .meta({ minLength: 1, maxLength: 40 })
  );
}

/** A whole number in a JSON body. */
export const wholeNumber = (from: number, to: number) =>
  z.int(`a whole number from ${from} to ${to}`).min(from).max(to);

export const uuid = z.uuid();

/** A quantity, also of gems in answers. */
export const count = z.int().min(0);

/** Gems in a JSON body. */
export const gems = (least = 0) => wholeNumber(least, MOST_GEMS);

/** From here on years have five digits, which the database reads only in another notation. */
export const YEAR_10_000 = Date.UTC(10_000);

/** A future time whose year in UTC also has four digits. */
export const future = () =>
  z.iso
    .datetime({ offset: true, error: FUTURE })
    .refine(text => Date.parse(text) > Date.now() && Date.parse(text) < YEAR_10_000, FUTURE);
const FUTURE = 'a time in the future such as 2030-12-31T18:00:00Z';

/** A whole number in a query or a header, where it is text. */
export function whole(from: number, to: number) {
  const rule = `a whole number from ${from} to ${to}`;
  return z
    .string(rule)
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .refine(number => number >= from && number <= to, rule)
    .meta({ type: 'integer', minimum: from, maximum: to });
}

/** Maximum price of an operation, from a header. */
export const maxGems = () =>
  z.string('a whole number from 0').regex(/^\d+$/).transform(Number).meta({ type: 'integer', minimum: 0 }).optional();

/** Value of the Idempotency-Key header. */
export const idempotencyKey = z.string('text of 1 to 255 characters').min(1).max(255).optional();

/**
 * Account that a page left open believes it acts for. Every account operation accepts this header; it is documented on
 * the operations that cost or give most.
 */
export const meantAccount = described(
  'The account that the call is for; refused if the key or session is of another account',
  z.uuid('the id of an account').optional(),
);

export const owner = described(
  'The account that was signed in before; a passkey of another account is refused',
  z.uuid('the id of an account').optional(),
);

/** Headers of an operation that is idempotent by key. */
export const keyed = z.object({ 'idempotency-key': idempotencyKey });

/** Headers that identify a browser. */
export const browser = z.object({ cookie: z.string().optional(), 'user-agent': z.string().optional() });

/** One or more of the given words, separated by commas. */
export function words<const T extends string>(known: readonly T[]) {
  const rule = `one or more of ${known.join(', ')}, separated by commas`;
  return z
    .string(rule)
    .refine(text => text.split(',').every(word => known.some(one => one === word)), rule)
    .transform(text => text.split(',') as T[]);
}

/** Ids, separated by commas. */
export function ids(most: number) {
  const rule = `1 to ${most} request ids, separated by commas`;
  const each = z.uuid();
  return z
    .string(rule)
    .refine(text => text.split(',').length <= most && text.split(',').every(id => each.safeParse(id).success), rule)
    .transform(text => text.split(','));
}

export const flag = () => z.enum(['true', 'false']).transform(text => text === 'true');

export const none = z.object({});

/** Start of a page of a list. The cursor is opaque to clients: its content is not part of the contract. */
function cursorThat(isOne: (text: string) => boolean) {
  const rule = 'the next_cursor of the page before';
  return described('next_cursor of the previous page', z.string(rule).refine(isOne, rule).optional());
}

export const cursor = cursorThat(text => uuid.safeParse(text).success);
export const ledgerCursor = cursorThat(text => /^\d{1,15}$/.test(text));
/** Cursor of a list that validates the content itself. */
export const ownCursor = cursorThat(text => text.length > 0 && text.length <= 200);

/** Page of a list. */
export const page = z.object({
  limit: described('Most items on the page; 50 by default', whole(1, 200).default(50)),
  cursor,
});
