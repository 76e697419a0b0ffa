import '#lib/contract/without-eval';
import { z } from 'zod';

// Values that bodies and parameters are made of. Each says in words what it allows, whatever is wrong with what was sent.

/** No act moves more gems than this, so that sums stay far below 2^53. */
export const MOST_GEMS = 1_000_000_000;

export const described = <S extends z.ZodType>(description: string, schema: S) => schema.meta({ description });

/** Not white, not a control character, and not left out by whoever draws it. */
export const VISIBLE = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}]/u;

/** Text of so many characters around which spaces do not count. Characters are code points, as JSON Schema counts them. */
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
    .regex(/^\P{Cc}*$/u);
}

/** A word or a few that find things again; in lowercase, whatever was typed. */
export function tag() {
  const rule =
    'a tag, other than . and ..: 1 to 40 characters in one line, one of them visible, without commas or slashes';
  return (
    z
      .string(rule)
      .trim()
      .toLowerCase()
      // an é may be one sign or an e with its accent, and looks the same
      .normalize('NFC')
      .regex(/^(?!\.{1,2}$)[^\p{Cc},/\\]{1,40}$/u, { error: rule, abort: true })
      .regex(VISIBLE, rule)
  );
}

/** A whole number of a JSON body. */
export const wholeNumber = (from: number, to: number) =>
  z.int(`a whole number from ${from} to ${to}`).min(from).max(to);

export const uuid = z.uuid();

/** How many: of gems in answers as well. */
export const count = z.int().min(0);

/** Gems in a JSON body. */
export const gems = (least = 0) => wholeNumber(least, MOST_GEMS);

/** From here on a year has five digits, and the database takes it in another form only. */
export const YEAR_10_000 = Date.UTC(10_000);

/** A moment to come, of a year that has four digits in UTC as well. */
export const future = () =>
  z.iso
    .datetime({ offset: true, error: FUTURE })
    .refine(text => Date.parse(text) > Date.now() && Date.parse(text) < YEAR_10_000, FUTURE);
const FUTURE = 'a time in the future such as 2030-12-31T18:00:00Z';

/** A whole number of a query or a header, where it is text. */
export function whole(from: number, to: number) {
  const rule = `a whole number from ${from} to ${to}`;
  return z
    .string(rule)
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .refine(number => number >= from && number <= to, rule)
    .meta({ type: 'integer', minimum: from, maximum: to });
}

/** A price above which nothing is bought, as a header has it. */
export const maxGems = () =>
  z.string('a whole number from 0').regex(/^\d+$/).transform(Number).meta({ type: 'integer', minimum: 0 }).optional();

/** What an Idempotency-Key may be. */
export const idempotencyKey = z.string('text of 1 to 255 characters').min(1).max(255).optional();

/** Every operation of an account takes it, from pages that may have been left open; those that say so cost or give most. */
export const meantAccount = described(
  'The account that the call is for; refused if the key or session is of another account',
  z.uuid('the id of an account').optional(),
);

export const owner = described(
  'The account that was signed in before; a passkey of another account is refused',
  z.uuid('the id of an account').optional(),
);

/** Headers of an act that is done once for each key. */
export const keyed = z.object({ 'idempotency-key': idempotencyKey });

/** Headers in which a browser says who it is. */
export const browser = z.object({ cookie: z.string().optional(), 'user-agent': z.string().optional() });

/** Some of these words, separated by commas. */
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

/** Where a page of a list begins. What it says is no part of the contract: it is given back as it was given. */
function cursorThat(isOne: (text: string) => boolean) {
  const rule = 'the next_cursor of the page before';
  return described('next_cursor of the previous page', z.string(rule).refine(isOne, rule).optional());
}

export const cursor = cursorThat(text => uuid.safeParse(text).success);
export const ledgerCursor = cursorThat(text => /^\d{1,15}$/.test(text));
/** Of a list that looks at it itself. */
export const ownCursor = cursorThat(text => text.length > 0 && text.length <= 200);

/** Which page of a list. */
export const page = z.object({
  limit: described('Most items on the page; 50 by default', whole(1, 200).default(50)),
  cursor,
});
