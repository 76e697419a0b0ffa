import { and, eq, inArray } from 'drizzle-orm';
import { beginning } from '#lib/beginning';
import { itemsOf } from '#lib/catalog/recipe-bodies';
import type { Recipe } from '#lib/catalog/recipe-file';
import { db } from '#lib/db/client';
import { media, requests, type StoredStep } from '#lib/db/schema';
import { nameOf } from '#lib/generations/name-of';
import type { Run } from '#lib/recipes/runs';
import { mediaOf } from '#lib/recipes/read-inputs';
import { keyOfUrl } from '#lib/uploads/key-of-url';

// the prompts of a recipe are instructions that its user has not written, so its results are shown with titles instead

/** Maximum length of the subject in a title. */
const LENGTH = 200;
const IS_ADDRESS = /^https?:/;

/** Returns the steps of a recipe with titles for a run with these inputs. */
export async function titledSteps(
  accountId: string,
  recipe: Recipe,
  inputs: Record<string, unknown>,
): Promise<StoredStep[]> {
  const about = wordsOf(recipe, inputs) ?? (await beginningsOf(accountId, recipe, inputs));
  return recipe.steps.map(step => {
    const does = recipe.steps.length > 1 ? `${recipe.name}, ${step.name}` : recipe.name;
    return { ...step, title: { does, about } };
  });
}

/** Returns the first text that the user wrote, as opposed to a choice or a file. */
function wordsOf({ inputs: asked }: Recipe, inputs: Record<string, unknown>): string | undefined {
  const isOwn = (key: string) => asked[key]!.type === 'string' && !asked[key]!.enum && !asked[key]!.media;
  const words = Object.keys(asked).flatMap(key => (isOwn(key) && inputs[key] ? String(inputs[key]).trim() : []));
  return words.find(Boolean);
}

/** Returns the name of the first result among the input files. */
async function beginningsOf(accountId: string, recipe: Recipe, inputs: Record<string, unknown>) {
  const keys = mediaOf(recipe, inputs).flatMap(({ value }) => keyOfUrl(value) ?? []);
  if (keys.length === 0) return undefined;
  const rows = await db()
    .select({ key: media.key, prompt: requests.prompt, runPart: requests.runPart })
    .from(media)
    .innerJoin(requests, eq(requests.id, media.requestId))
    .where(and(eq(media.accountId, accountId), eq(media.kind, 'result'), inArray(media.key, keys)));
  const first = keys.flatMap(key => rows.find(row => row.key === key) ?? [])[0];
  return first && nameOf(first);
}

/** Returns a title for each request of a step; where there are several, with the item that each is for. */
export function titlesOf(
  { name, steps, inputs }: Run,
  at: number,
  values: Readonly<Record<string, unknown>>,
): string[] {
  const { each, title } = steps[at]!;
  // an item that the user wrote names the subject itself; one of the recipe's, such as a view, needs it added
  const isOwn = (item: string) => Object.values(inputs).flat().includes(item);
  const aboutItem = (item: string) => (title?.about && !isOwn(item) ? `${title.about}, ${item}` : item);
  const items = each === undefined ? [undefined] : itemsOf(each, values);
  return items.map(item => {
    const about = typeof item === 'string' && !IS_ADDRESS.test(item) ? aboutItem(item) : title?.about;
    const does = title?.does ?? name;
    return about ? `${does}: ${beginning(about.replaceAll(/\s+/g, ' ').trim(), LENGTH)}` : does;
  });
}
