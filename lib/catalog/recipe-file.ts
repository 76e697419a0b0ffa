import { z } from 'zod';
import type { Architecture } from '#lib/catalog/catalog-file';
import { field, name, type Field } from '#lib/catalog/file-shape';
import { checkField } from '#lib/catalog/check-field';
import { titleOf } from '#lib/catalog/fold-fields';
import { namesIn } from '#lib/catalog/render-template';
import { issuesIn } from '#lib/documents/json-file';
import type { Issue } from '#lib/errors';
import { pointer } from '#lib/issue';

/** Maximum number of requests of one step: the default in-flight limit of an account. */
const MOST_ITEMS = 20;
/** Names in templates beside inputs and steps: the item of a request, and its number from 1. */
const ITEM_NAMES = ['each', 'number'];
/** Paths under /v1/recipes that would be hidden by a recipe with the same id. */
export const RESERVED_IDS = ['runs'];

const word = z.string().regex(/^[a-z][a-z0-9_]*$/, 'lowercase letters, digits and underscores');
const template = z.union([z.string(), z.number(), z.boolean(), z.array(z.string()).min(1)]);

const step = z.strictObject({
  id: word,
  name,
  architecture: z.string(),
  /**
   * Makes one request for each item: a list of texts, or a template that gives a list (an input, a choice whose words
   * are a list, an earlier step) or a number. By default a single request.
   */
  each: z.union([z.string(), z.array(z.string()).min(1).max(MOST_ITEMS)]).optional(),
  /** A generate body. Texts are templates; a field whose template is empty is left out. */
  body: z.record(z.string(), template),
});

/** Schema of `catalog/recipes/<id>.json`. A new recipe needs nothing but such a file. */
const file = z.strictObject({
  id: word.max(63).refine(id => !RESERVED_IDS.includes(id), 'not the name of another path under /v1/recipes'),
  name,
  description: z.string().min(1),
  /** Position in lists, lowest first. */
  order: z.number().default(1000),
  /** Inputs of the recipe, defined like the fields of an architecture. */
  inputs: z.record(word, field.required({ description: true })),
  required: z.array(z.string()).default([]),
  /** Replacement for each token of a choice in templates: a text, or a list for `each`. */
  words: z
    .record(z.string(), z.record(z.string(), z.union([z.string(), z.array(z.string()).min(1).max(MOST_ITEMS)])))
    .default({}),
  steps: z.array(step).min(1).max(8),
  /** Ids of the steps whose outputs are the result. */
  results: z.array(z.string()).min(1),
});

/** A recipe: its inputs, and the steps that turn them into generations, one after the other. */
export type Recipe = Omit<z.output<typeof file>, 'inputs'> & { inputs: Record<string, Field> };
export type CheckedRecipe = { recipe: Recipe; issues: [] } | { recipe: null; issues: Issue[] };

/** Reads the JSON of a recipe. Returns the recipe, or all its issues by JSON pointer. */
export function readRecipeFile(json: unknown, find: (id: string) => Architecture | null): CheckedRecipe {
  const parsed = file.safeParse(json);
  if (!parsed.success) return { recipe: null, issues: issuesIn(parsed.error) };
  const inputs = Object.entries(parsed.data.inputs).map(([key, own]): [string, Field] => [
    key,
    { type: 'string', title: titleOf(key), ...own },
  ]);
  const recipe = { ...parsed.data, inputs: Object.fromEntries(inputs) };
  const issues = [...inputIssues(recipe), ...stepIssues(recipe, find)];
  return issues.length ? { recipe: null, issues } : { recipe, issues: [] };
}

const issue = (message: string, ...steps: PropertyKey[]): Issue => ({ path: pointer(...steps), message });

function inputIssues({ inputs, required, words }: Recipe): Issue[] {
  const issues: Issue[] = [];
  for (const [key, input] of Object.entries(inputs)) {
    if (input.default === undefined) continue;
    const faults = checkField(key, input, input.default);
    issues.push(...faults.map(({ message }) => issue(message, 'inputs', key, 'default')));
  }
  for (const [at, key] of required.entries())
    if (!Object.hasOwn(inputs, key)) issues.push(issue(`there is no input ${key}`, 'required', at));
  for (const [key, tokens] of Object.entries(words)) {
    const missing = (inputs[key]?.enum ?? []).filter(token => !Object.hasOwn(tokens, token));
    if (!inputs[key]?.enum) issues.push(issue(`there is no input ${key} with tokens`, 'words', key));
    for (const token of missing) issues.push(issue(`has no words for ${token}`, 'words', key));
  }
  return issues;
}

/** Returns the issues of steps. Templates may use inputs, their own item, and earlier steps. */
function stepIssues({ inputs, steps, results }: Recipe, find: (id: string) => Architecture | null): Issue[] {
  const issues: Issue[] = [];
  const known = new Set(Object.keys(inputs));
  for (const [at, { id, architecture, each, body }] of steps.entries()) {
    const tell = (message: string, ...place: PropertyKey[]) => void issues.push(issue(message, 'steps', at, ...place));
    if (known.has(id) || ITEM_NAMES.includes(id)) tell(`${id} is the name of something else`);
    const fields = find(architecture)?.fields;
    if (!fields) tell(`there is no architecture ${architecture}`, 'architecture');
    for (const fault of templateFaults(each, known)) tell(fault, 'each');
    if (typeof each === 'string' && !isBounded(each, inputs, steps.slice(0, at)))
      tell(`has to be bounded: at most ${MOST_ITEMS} by maxItems or maximum`, 'each');
    const here = new Set(each === undefined ? known : [...known, ...ITEM_NAMES]);
    for (const [key, value] of Object.entries(body)) {
      if (fields && !Object.hasOwn(fields, key)) tell(`is no field of ${architecture}`, 'body', key);
      for (const fault of templateFaults(value, here)) tell(fault, 'body', key);
      const isLiteral = !(typeof value === 'string' && value.includes('{{')) && !Array.isArray(value);
      if (fields?.[key] && isLiteral)
        for (const { message } of checkField(key, fields[key], value)) tell(message, 'body', key);
    }
    if (!body.prompt) tell('needs a prompt', 'body');
    known.add(id);
  }
  const ids = steps.map(({ id }) => id);
  for (const [at, id] of results.entries())
    if (!ids.includes(id)) issues.push(issue(`there is no step ${id}`, 'results', at));
  return issues;
}

/** Returns the faults of a template where only `known` names exist. */
function templateFaults(template: unknown, known: ReadonlySet<string>): string[] {
  const found = namesIn(template);
  if ('fault' in found) return [found.fault];
  return [...found.names].filter(name => !known.has(name)).map(name => `there is no ${name} at this point`);
}

/** Whether a template for `each` cannot give more items than a step may have. */
function isBounded(each: string, inputs: Recipe['inputs'], before: Recipe['steps']): boolean {
  const name = /^{{(\w+)}}$/.exec(each)?.[1] ?? '';
  const { type, maximum = Infinity, maxItems = Infinity, enum: tokens } = inputs[name] ?? {};
  if (before.some(({ id }) => id === name)) return true;
  if (tokens) return true;
  return type === 'array' ? maxItems <= MOST_ITEMS : type === 'integer' && maximum <= MOST_ITEMS;
}
