import { baseConfig, fitConfig, modelOf, type Config } from '#components/studio/config';
import { seedsFrom } from '#components/studio/seeds';
import { toForm, type FormField } from '#components/studio/to-form';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

/** Maximum number of values of an axis. */
export const MOST_VALUES = 6;

/** What one side of a matrix varies: a field of the config, the model, or words of the prompt. */
export interface Axis {
  /** Name of a field, `architecture`, or `words 0` for the first `{a|b}` of the prompt. */
  field: string;
  title: string;
  values: readonly AxisValue[];
}

interface AxisValue {
  label: string;
  value: string | number | boolean;
}

/** What a matrix is created from. */
export interface Draft {
  entry: CatalogEntry;
  config: Config;
  entries: readonly CatalogEntry[];
  /** Seed of all places, unless the config has one. */
  seed: number;
}

/** One request of a matrix. */
export interface Cell {
  entry: CatalogEntry;
  config: Config;
  /** Fields whose values this model or variant does not accept, so that they have its defaults. */
  dropped: string[];
}

const WORDS = /\{([^{}|]*(?:\|[^{}|]*)+)\}/g;

/** Returns everything that can be an axis of a draft, beginning with the alternatives written in the prompt. */
export function axesFor(entry: CatalogEntry, entries: readonly CatalogEntry[], config: Config, seed: number): Axis[] {
  const fields = toForm(entry, modelOf(entry, config)).flatMap(field => axisOf(field, config, seed));
  const models = entries.filter(({ type }) => type === entry.type);
  // the selected model comes first
  const byChoice = models.toSorted((a, b) => Number(b === entry) - Number(a === entry));
  const architecture = {
    field: 'architecture',
    title: 'Model',
    values: byChoice.map(({ id, name }) => ({ label: name, value: id })),
  };
  return [...wordsOf(String(config.prompt ?? '')), ...fields, architecture].filter(({ values }) => values.length > 1);
}

/** Returns the two axes that a user most likely wants: words of the prompt, else the variant or a field, and seeds. */
export function usualAxes(axes: readonly Axis[]): [Axis, Axis] {
  const words = axes.filter(({ field }) => field.startsWith('words'));
  const seeds = axes.find(({ field }) => field === 'seed');
  const first = words[0] ?? axes.find(({ field }) => field === 'model_id') ?? axes.find(axis => axis !== seeds)!;
  const second = words[1] ?? seeds ?? axes.find(axis => axis !== first)!;
  return [usualValues(first), usualValues(second)];
}

const USUAL = 3;

/** Returns an axis with its initial values: all the words, or a few of anything else. */
export const usualValues = (axis: Axis): Axis => ({
  ...axis,
  values: axis.values.slice(0, axis.field.startsWith('words') ? MOST_VALUES : USUAL),
});

/** Returns the requests of a matrix, row by row. They share one seed, unless seeds are an axis. */
export function cellsOf(draft: Draft, across: Axis, down: Axis): Cell[][] {
  return down.values.map(({ value: rowValue }) =>
    across.values.map(({ value }) => cellOf(draft, { [down.field]: rowValue, [across.field]: value })),
  );
}

function cellOf(
  { entry: own, entries, config, seed }: Draft,
  { architecture, ...chosen }: Record<string, AxisValue['value']>,
): Cell {
  const entry = entries.find(({ id }) => id === architecture) ?? own;
  let n = 0;
  const prompt = String(config.prompt ?? '').replace(WORDS, (_, words: string) =>
    String(chosen[`words ${n++}`] ?? words.split('|')[0]),
  );
  const settings = Object.fromEntries(Object.entries(chosen).filter(([field]) => !field.startsWith('words')));
  // another model has its own variants
  const { model_id, ...shared } = config;
  const asked: Config = { ...shared, ...(entry === own && { model_id }), seed: config.seed ?? seed };
  const given: Config = { ...asked, ...settings, prompt };
  const fitted = fitConfig(entry, given);
  const base = baseConfig(own);
  return { entry, config: fitted.config, dropped: fitted.dropped.filter(name => given[name] !== base[name]) };
}

/** Returns the alternatives written in the prompt: `a {red|blue} fig`. */
const wordsOf = (prompt: string): Axis[] =>
  [...prompt.matchAll(WORDS)].map(([, words = ''], n) => {
    const values = words.split('|').map(word => ({ label: word.trim() || 'nothing', value: word.trim() }));
    return { field: `words ${n}`, title: values.map(({ label }) => label).join(' or '), values };
  });

function axisOf({ name, schema, options }: FormField, config: Config, seed: number): Axis[] {
  const values = valuesOf({ name, schema, options }, config, seed);
  return values.length > 1 ? [{ field: name, title: options.title, values }] : [];
}

function valuesOf({ name, schema, options }: FormField, config: Config, seed: number): AxisValue[] {
  const { widget, tokens } = options;
  if (name === 'seed') {
    const first = typeof config.seed === 'number' ? config.seed : seed;
    return seedsFrom(first, MOST_VALUES).map(told);
  }
  if (widget === 'toggle') return [true, false].map(told);
  const chosen = config[name];
  // the selected value comes first
  if (widget === 'range')
    return [...new Set([...(typeof chosen === 'number' ? [chosen] : []), ...spread(schema)])].map(told);
  return (tokens ?? []).toSorted((a, b) => Number(b === chosen) - Number(a === chosen)).map(told);
}

const told = (value: AxisValue['value']): AxisValue => ({
  label: typeof value === 'boolean' ? (value ? 'Yes' : 'No') : String(value),
  value,
});

/** Returns up to five numbers spread over the range, in its steps. */
function spread({ minimum = 0, maximum = 1, multipleOf, type }: FormField['schema']): number[] {
  const step = multipleOf ?? (type === 'integer' ? 1 : 0.01);
  const at = (part: number) => {
    const steps = Math.round((part * (maximum - minimum)) / step);
    return Number((minimum + steps * step).toFixed(4));
  };
  return [...new Set([0, 0.25, 0.5, 0.75, 1].map(at))];
}
