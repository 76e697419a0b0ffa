import Mustache from 'mustache';

/** What templates put in, by name. */
type Values = Readonly<Record<string, unknown>>;

const WHOLE = /^{{(\w+)}}$/;
/** Prompts are text, not HTML. */
const AS_IT_IS = { escape: String };

/**
 * A value of a body with its placeholders filled in. A text that is nothing but a placeholder becomes the value itself, list or
 * number; in other texts it is put in (Mustache: `{{#name}}…{{/name}}` stands only where there is something). Of a list, what is
 * empty falls out and lists are taken apart. Undefined for what is empty.
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

/** The names that a template uses, or why it is none. */
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

/** The names that a template uses which was checked before. */
export function namesOf(template: unknown): ReadonlySet<string> {
  const found = namesIn(template);
  return 'names' in found ? found.names : new Set();
}
