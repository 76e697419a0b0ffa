import type { Recipe } from '#lib/catalog/recipe-file';
import { render } from '#lib/catalog/render-template';
import type { StoredStep } from '#lib/db/schema';

/** Returns the values for templates: inputs with their defaults, and choices replaced by the recipe's `words`. */
export function valuesOf({ inputs: asked, words }: Recipe, inputs: Record<string, unknown>): Record<string, unknown> {
  const values = Object.entries(asked).map(([key, { default: preset }]) => {
    const value = inputs[key] ?? preset;
    return [key, words[key]?.[String(value)] ?? value];
  });
  return Object.fromEntries(values);
}

/** Returns the generate body of each request of a step. `values` has the inputs and the outputs of earlier steps. */
export function bodiesOf({ each, body }: Pick<StoredStep, 'each' | 'body'>, values: Readonly<Record<string, unknown>>) {
  if (each === undefined) return [fill(body, values)];
  return itemsOf(each, values).map((item, at) => fill(body, { ...values, each: item, number: at + 1 }));
}

/** Returns the items of a step with `each`: one request is made for each. */
export function itemsOf(each: string | string[], values: Readonly<Record<string, unknown>>): unknown[] {
  if (Array.isArray(each)) return each.map(item => render(item, values));
  const items = render(each, values);
  if (typeof items === 'number') return Array.from({ length: items }, (_, at) => at + 1);
  return items === undefined ? [] : [items].flat();
}

const fill = (body: StoredStep['body'], values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(body).flatMap(([field, template]) => {
      const value = render(template, values);
      return value === undefined ? [] : [[field, value]];
    }),
  );
