import type { Field, Token } from '#lib/catalog/architecture';
import type { Issue } from '#lib/errors';

/** More of the same kind help nobody, and a hostile list could make millions. */
const MOST_ITEM_ISSUES = 10;

export const MEDIA_PATTERN = '^(https?://|data:)';
const mediaAddress = new RegExp(MEDIA_PATTERN);

/** What is wrong with the value of one field; empty when it is accepted. `tokens` narrows the field's own. */
export function checkField(name: string, field: Field, value: unknown, tokens = field.enum): Issue[] {
  const path = pointer(name);
  if (field.nullable && value === null) return [];
  if (field.type !== 'array') {
    const fault = accepts(field, value, tokens) ? textFault(value) : expectation(field, value, tokens);
    return fault ? [{ path, message: `${name} ${fault}` }] : [];
  }
  if (!Array.isArray(value)) {
    return [{ path, message: `${name} must be a list of ${addresses(field)}; it is ${shown(value)}` }];
  }
  const issues: Issue[] = [];
  if (field.maxItems !== undefined && value.length > field.maxItems) {
    issues.push({ path, message: `${name} must have at most ${field.maxItems} items; it has ${value.length}` });
  }
  const item: Field = { ...field, type: 'string' };
  for (const [index, entry] of value.entries()) {
    if (issues.length >= MOST_ITEM_ISSUES) break;
    const fault = accepts(item, entry, undefined) ? textFault(entry) : expectation(item, entry, undefined);
    if (fault) issues.push({ path: `${path}/${index}`, message: `${name}[${index}] ${fault}` });
  }
  return issues;
}

function accepts(field: Field, value: unknown, tokens: Token[] | undefined): boolean {
  if (tokens) return tokens.includes(value as Token);
  if (field.type === 'boolean') return typeof value === 'boolean';
  if (field.type === 'string') return typeof value === 'string' && acceptsText(field, value);
  const { minimum = -Infinity, maximum = Infinity } = field;
  return (
    Number.isFinite(value) &&
    Number(value) >= minimum &&
    Number(value) <= maximum &&
    (!isWhole(field) || Number.isInteger(value))
  );
}

function acceptsText({ media, minLength = 0, maxLength = Infinity, pattern }: Field, text: string): boolean {
  if (media) return mediaAddress.test(text);
  return text.length >= minLength && isWithin(text, maxLength) && (!pattern || new RegExp(pattern, 'u').test(text));
}

/** Characters are code points, as in JSON Schema; counting them is left out where the length decides already. */
function isWithin(text: string, maxLength: number): boolean {
  if (text.length <= maxLength) return true;
  return text.length <= 2 * maxLength && [...text].length <= maxLength;
}

/** What Postgres and UTF-8 cannot hold. */
export function textFault(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  if (value.includes('\0')) return 'must not contain a NUL character (\\u0000)';
  if (!value.isWellFormed()) return 'must be valid Unicode; it contains half of a surrogate pair';
  return null;
}

function expectation(field: Field, value: unknown, tokens: Token[] | undefined): string {
  return `must be ${expected(field, tokens)}; it is ${shown(value)}${hint(field, value, tokens)}`;
}

function expected(field: Field, tokens: Token[] | undefined): string {
  const orNull = field.nullable ? ', or null' : '';
  if (tokens) return `one of ${tokens.map(token => JSON.stringify(token)).join(', ')}`;
  if (field.media) return addresses(field);
  if (field.type === 'boolean') return 'true or false';
  if (field.type === 'string') {
    const least = field.pattern || field.minLength ? 'with at least one visible character' : '';
    const most = field.maxLength ? `of at most ${field.maxLength} characters` : '';
    return ['text', most, least].filter(Boolean).join(' ');
  }
  const range = field.minimum === undefined ? '' : ` from ${field.minimum} to ${field.maximum}`;
  return `a ${isWhole(field) ? 'whole ' : ''}number${range}${orNull}`;
}

const isWhole = ({ type, multipleOf }: Field) => type === 'integer' || multipleOf === 1;

const addresses = ({ type, media }: Field) =>
  type === 'array' ? `${media} addresses (https, upload or data URLs)` : `an https URL, an upload URL or a data URL`;

function hint(field: Field, value: unknown, tokens: Token[] | undefined): string {
  if (tokens && typeof value === 'number' && tokens.includes(String(value))) return `: send "${value}" as a string`;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : NaN;
  if (Number.isFinite(number) && accepts(field, number, tokens)) return `: send ${number} as a number`;
  return '';
}

/** A value for an error message: what it is, in about 60 characters whatever was sent. */
export function shown(value: unknown): string {
  if (typeof value === 'string') {
    const start = value.slice(0, 60).toWellFormed();
    return JSON.stringify(start) + (value.length > 60 ? `… (${value.length} characters)` : '');
  }
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

/** The JSON pointer of a top-level member. */
export const pointer = (name: string): string => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
