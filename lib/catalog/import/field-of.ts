import type { FileField } from '#lib/catalog/file-shape';
import { COMMON_FIELDS } from '#lib/catalog/common-fields';
import { choicesOf, detailsOf } from '#lib/engines/comfyui/node-info';
import type { Literal } from '#lib/catalog/import/literals';

/** Maximum number of options for a choice; longer lists are unsuitable for choosing from. */
const MOST_CHOICES = 200;
/** Bound beyond which a limit is that of the number type, not of the model. */
const SENSIBLE = 1_000_000;

/** Returns the field of a value for an architecture file, without what the common definitions have already. */
export function fieldOf(name: string, literal: Literal): FileField {
  const { value, said, title, isOnly, spec } = literal;
  const range = rangeOf(literal);
  if (Object.hasOwn(COMMON_FIELDS, name)) {
    const { minimum = -Infinity, maximum = Infinity } = COMMON_FIELDS[name]!;
    if (typeof value !== 'number') return { default: value };
    const narrower = {
      ...(range.minimum !== undefined && range.minimum > minimum && { minimum: range.minimum }),
      ...(range.maximum !== undefined && range.maximum < maximum && { maximum: range.maximum }),
    };
    return { default: Math.min(maximum, Math.max(minimum, value)), ...narrower };
  }
  const called = said?.title ?? (isOnly ? title : undefined);
  const titled = called && sentence(called.replace(/^@\s*/, '')).slice(0, 80);
  const words = {
    ...(titled && { title: titled }),
    // input names such as `value` say nothing, so the title describes the field instead
    description:
      said?.description ??
      `${titled && PLAIN.test(literal.input) ? titled : `${literal.input} of ${title ?? literal.class}`}.`,
  };
  const choices = spec && choicesOf(spec);
  if (choices && choices.length <= MOST_CHOICES && typeof value !== 'boolean') {
    const tokens = new Set([...choices, value].map(String));
    return { type: 'string', ...words, enum: [...tokens], default: String(value) };
  }
  if (typeof value === 'string') return { type: 'string', ...words, maxLength: 10_000, default: value };
  if (typeof value === 'boolean') return { type: 'boolean', ...words, default: value };
  const isWhole = spec?.[0] === 'INT' || (spec === undefined && Number.isInteger(value));
  return { type: 'number', ...words, ...range, ...(isWhole && { multipleOf: 1 as const }), default: value };
}

const PLAIN = /^(value|default|default_value|text)$/;

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1).replaceAll('_', ' ');

function rangeOf({ value, said, spec }: Literal): { minimum?: number; maximum?: number } {
  const { min, max } = spec ? detailsOf(spec) : {};
  const [low, high] = [said?.minimum ?? min, said?.maximum ?? max];
  return {
    ...(isLimit(low) && low <= Number(value) && { minimum: low }),
    ...(isLimit(high) && high >= Number(value) && { maximum: high }),
  };
}

const isLimit = (limit: unknown): limit is number => typeof limit === 'number' && Math.abs(limit) <= SENSIBLE;
