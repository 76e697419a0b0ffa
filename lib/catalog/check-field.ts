import type { Field } from '#lib/catalog/file-shape';
import { VISIBLE } from '#lib/contract/values';
import { oneOf } from '#lib/contract/words';
import type { Issue } from '#lib/errors';
import { mustBe, pointer } from '#lib/issue';

/** Maximum number of issues reported for one list; a hostile list could cause millions. */
const MOST_ITEM_ISSUES = 10;

/** URL schemes are case-insensitive, and JSON Schema has no flag for that. */
export const MEDIA_PATTERN = '^([Hh][Tt][Tt][Pp][Ss]?://|[Dd][Aa][Tt][Aa]:)';
const mediaAddress = new RegExp(MEDIA_PATTERN);

/** Returns the issues of a field's value; empty when it is accepted. `tokens` replaces the field's own. */
export function checkField(name: string, field: Field, value: unknown, tokens = field.enum): Issue[] {
  const path = pointer(name);
  if (field.nullable && value === null) return [];
  if (field.type !== 'array') return accepts(field, value, tokens) ? [] : [refuse(path, field, value, tokens)];
  if (!Array.isArray(value)) return [refuse(path, field, value, undefined)];
  const { maxItems = Infinity } = field;
  const item = itemOf(field);
  const issues = value.length > maxItems ? [refuse(path, field, value, undefined)] : [];
  for (const [index, entry] of value.entries()) {
    if (accepts(item, entry, undefined)) continue;
    if (issues.length === MOST_ITEM_ISSUES) {
      issues.push({
        path,
        message: `More entries of ${name} are wrong; the first ${MOST_ITEM_ISSUES} faults are named.`,
      });
      break;
    }
    issues.push(refuse(pointer(name, index), item, entry, undefined));
  }
  return issues;
}

/** Returns the field of a list's item: a file or a text. */
const itemOf = (field: Field): Field => ({ ...field, type: 'string' });

function accepts(field: Field, value: unknown, tokens: string[] | undefined): boolean {
  if (tokens) return tokens.some(token => token === value);
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
  if (text.length < minLength || !isWithin(text, maxLength)) return false;
  // invisible text counts as empty; not every JSON Schema implementation has patterns that could say so
  if (minLength > 0 && !VISIBLE.test(text)) return false;
  return !pattern || new RegExp(pattern, 'u').test(text);
}

/** Counts code points, as JSON Schema does, unless the UTF-16 length decides already. */
function isWithin(text: string, maxLength: number): boolean {
  if (text.length <= maxLength) return true;
  return text.length <= 2 * maxLength && [...text].length <= maxLength;
}

const refuse = (path: string, field: Field, value: unknown, tokens: string[] | undefined): Issue =>
  mustBe(path, allowed(field, tokens), value, { hint: hint(field, value, tokens) });

/** Returns what a field accepts, as a phrase that follows "must be". */
function allowed(field: Field, tokens: string[] | undefined): string {
  const { type, media, minLength, maxLength, minimum, maximum, maxItems } = field;
  if (tokens) return oneOf(tokens);
  if (type === 'array')
    return `a list${maxItems === undefined ? '' : ` of at most ${maxItems}`}, each ${allowed(itemOf(field), undefined)}`;
  if (media) return address(media);
  if (type === 'boolean') return 'true or false';
  if (type === 'string') {
    const least = field.pattern || minLength ? 'with at least one visible character' : '';
    const most = maxLength ? `of at most ${maxLength} characters` : '';
    return ['text', most, least].filter(Boolean).join(' ');
  }
  const range = minimum === undefined ? '' : ` from ${minimum} to ${maximum}`;
  return `a ${isWhole(field) ? 'whole ' : ''}number${range}${field.nullable ? ', or null' : ''}`;
}

const isWhole = ({ type, multipleOf }: Field) => type === 'integer' || multipleOf === 1;

const address = (media: Field['media']) =>
  `an https URL, an upload URL or a data URL of ${media === 'video' ? 'a video' : media === 'audio' ? 'an audio file' : 'an image'}`;

function hint(field: Field, value: unknown, tokens: string[] | undefined): string {
  if (typeof value === 'number' && tokens?.includes(String(value))) return `: send "${value}" as a string`;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : NaN;
  if (Number.isFinite(number) && accepts(field, number, tokens)) return `: send ${number} as a number`;
  return '';
}
