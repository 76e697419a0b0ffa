import { RecipesPage } from '#components/recipes/recipes-page';
import { getPageAccount } from '#lib/auth/page-account';
import { recipesResponse } from '#lib/catalog/recipes-response';
import { newestPictures } from '#lib/recipes/newest-pictures';

export const metadata = { title: 'Recipes' };

export default async function Page() {
  const { id } = await getPageAccount('/recipes');
  return <RecipesPage recipes={recipesResponse().recipes} pictures={await newestPictures(id)} />;
}
