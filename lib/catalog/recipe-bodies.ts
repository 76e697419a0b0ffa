import type { Recipe } from '#lib/catalog/recipe-file';
import { render } from '#lib/catalog/render-template';
import type { StoredStep } from '#lib/db/schema';

/** What templates put in: inputs with their defaults, choices in the words that the recipe has for them. */
export function valuesOf({ inputs: asked, words }: Recipe, inputs: Record<string, unknown>): Record<string, unknown> {
  const values = Object.entries(asked).map(([key, { default: preset }]) => {
    const value = inputs[key] ?? preset;
    return [key, words[key]?.[String(value)] ?? value];
  });
  return Object.fromEntries(values);
}

/** The generate bodies of a step, one for each of its requests. `values` has the inputs and the outputs of former steps. */
export function bodiesOf({ each, body }: Pick<StoredStep, 'each' | 'body'>, values: Readonly<Record<string, unknown>>) {
  if (each === undefined) return [fill(body, values)];
  return itemsOf(each, values).map((item, at) => fill(body, { ...values, each: item, number: at + 1 }));
}

/** What each request of a step is for, where there is one for each of something. */
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
