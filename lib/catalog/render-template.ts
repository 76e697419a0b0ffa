import Mustache from 'mustache';

/** Values for placeholders, by name. */
type Values = Readonly<Record<string, unknown>>;

const WHOLE = /^{{(\w+)}}$/;
/** No HTML escaping: prompts are plain text. */
const AS_IT_IS = { escape: String };

/**
 * Fills in the placeholders of a body's value. A text that is a single placeholder becomes the value itself, be it a
 * list or number; other texts are Mustache templates, where `{{#name}}…{{/name}}` is shown only if there is a value. In
 * a list, empty items are dropped and nested lists are flattened. Returns undefined for an empty result.
 */
export function render(template: unknown, values: Values): unknown {
  if (Array.isArray(template)) {
    const items = template.flatMap(item => render(item, values) ?? []);
    return items.length > 0 ? items : undefined;
  }
  if (typeof template !== 'string') return template;
  const whole = WHOLE.exec(template)?.[1];
  const value = whole === undefined ? Mustache.render(template, values, {}, AS_IT_IS).trim() : values[whole];
  const isEmpty = value === null || value === '' || (Array.isArray(value) && value.length === 0);
  return isEmpty ? undefined : value;
}

type Token = [kind: string, name: string, from: number, to: number, inside?: Token[]];

/** Returns the names that a template uses, or why it is invalid. */
export function namesIn(template: unknown): { names: Set<string> } | { fault: string } {
  const names = new Set<string>();
  const read = (tokens: Token[]) => {
    for (const [kind, name, , , inside] of tokens) {
      if (kind !== 'text' && name !== '.') names.add(name.split('.')[0]!);
      if (inside) read(inside);
    }
  };
  try {
    for (const text of [template].flat()) if (typeof text === 'string') read(Mustache.parse(text) as Token[]);
  } catch (error) {
    return { fault: (error as Error).message };
  }
  return { names };
}

/** Returns the names that a validated template uses. */
export function namesOf(template: unknown): ReadonlySet<string> {
  const found = namesIn(template);
  return 'names' in found ? found.names : new Set();
}
