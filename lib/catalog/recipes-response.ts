import { byRevision } from '#lib/catalog/by-revision';
import { toRecipeEntry } from '#lib/catalog/recipe-entry';
import { listRecipes } from '#lib/catalog/recipes';
import { env } from '#lib/env';

/** Body of `GET /v1/recipes`. */
export const recipesResponse = byRevision('recipes-response', () => ({
  recipes: listRecipes().map(recipe => toRecipeEntry(recipe, env().BASE_URL)),
}));
