import { RecipesPage } from '#components/recipes/recipes-page';
import { getPageAccount } from '#lib/auth/page-account';
import { recipesResponse } from '#lib/catalog/recipes-response';
import { newestImages } from '#lib/recipes/newest-images';

export const metadata = { title: 'Recipes' };

export default async function Page() {
  const { id } = await getPageAccount();
  return <RecipesPage recipes={recipesResponse().recipes} images={await newestImages(id)} />;
}
