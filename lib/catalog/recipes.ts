import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { distance } from 'fastest-levenshtein';
import { catalog, fileCatalog, type Catalog } from '#lib/catalog/catalog';
import { narrowRecipe } from '#lib/catalog/narrow-recipe';
import { readRecipeFile, type CheckedRecipe, type Recipe } from '#lib/catalog/recipe-file';
import { checkName, errorsIn, parseFile, type FileError } from '#lib/documents/json-file';
import { jsonFilesIn, reloading } from '#lib/documents/reloading';
import { env } from '#lib/env';
import { AppError } from '#lib/errors';
import { shown } from '#lib/issue';
import { log } from '#lib/log';
import { singleton } from '#lib/singleton';

interface Recipes {
  /** Recipes by the path of their file, in the order of `order`, then by name. */
  files: ReadonlyMap<string, Recipe>;
  /** Files that could not be used; the last valid version of such a file stays in use. */
  errors: FileError[];
  revision: string;
}

/** Reads `dir/recipes/*.json`. */
function loadRecipes(dir: string, previous?: Recipes): Recipes {
  const errors: FileError[] = [];
  const read = jsonFilesIn(join(dir, 'recipes')).flatMap((path): [string, Recipe][] => {
    const { recipe, issues } = readRecipe(path);
    errors.push(...errorsIn(path, issues));
    const usable = recipe ?? previous?.files.get(path);
    return usable ? [[path, usable]] : [];
  });
  read.sort(([, a], [, b]) => a.order - b.order || a.name.localeCompare(b.name, 'en'));
  const revision = hash('sha256', JSON.stringify(read), 'base64url').slice(0, 16);
  return { files: new Map(read), errors, revision };
}

function readRecipe(path: string): CheckedRecipe {
  const { json, issues } = parseFile(() => readFileSync(path, 'utf8'));
  if (issues.length) return { recipe: null, issues };
  const checked = readRecipeFile(json, fileCatalog().find);
  const misnamed = checked.recipe ? checkName(path, checked.recipe.id) : [];
  return misnamed.length ? { recipe: null, issues: misnamed } : checked;
}

/** Returns the recipes of CATALOG_DIR, reloaded when its files change. */
export const fileRecipes = (): Recipes =>
  singleton('recipes', () => {
    const dir = env().CATALOG_DIR;
    let architectures: Catalog | undefined;
    return reloading<Recipes>(
      () => [join(dir, 'recipes'), ...jsonFilesIn(join(dir, 'recipes'))],
      previous => {
        architectures = fileCatalog();
        const loaded = loadRecipes(dir, previous);
        for (const error of loaded.errors)
          log().error(error, 'recipe file is invalid; the last valid version stays in use, if any');
        return loaded;
      },
      // recipes are validated against the fields of their architectures
      { isStale: () => architectures !== fileCatalog() },
    );
  })();

/** Returns the recipes for which engines serve every step, narrowed to the choices that are served. */
export function listRecipes(): Recipe[] {
  const live = new Map(
    catalog()
      .list()
      .map(one => [one.id, one]),
  );
  return [...fileRecipes().files.values()].flatMap(recipe => narrowRecipe(recipe, id => live.get(id)) ?? []);
}

/** Returns the recipe with this id. Throws a refusal that names the nearest ones. */
export function getRecipe(id: string): Recipe {
  const recipes = listRecipes();
  const found = recipes.find(recipe => recipe.id === id);
  if (found) return found;
  const near = recipes
    .map(recipe => recipe.id)
    .toSorted((a, b) => distance(id.slice(0, 60), a) - distance(id.slice(0, 60), b));
  throw new AppError(
    'recipe_not_found',
    `There is no recipe ${shown(id)}. The nearest are ${near.slice(0, 3).join(', ') || 'none'}; GET /v1/recipes lists all.`,
  );
}
