import { notFound } from 'next/navigation';
import { RecipePage } from '#components/recipes/recipe-page';
import { getPageAccount } from '#lib/auth/page-account';
import { catalogResponse } from '#lib/catalog/catalog-response';
import { recipesResponse } from '#lib/catalog/recipes-response';

interface Props {
  params: Promise<{ recipe: string }>;
  searchParams: Promise<Record<string, string | string[]>>;
}

const find = async (params: Props['params']) => {
  const { recipe } = await params;
  return recipesResponse().recipes.find(({ id }) => id === recipe) ?? notFound();
};

export async function generateMetadata({ params }: Pick<Props, 'params'>) {
  return { title: (await find(params)).name };
}

export default async function Page({ params, searchParams }: Props) {
  const recipe = await find(params);
  await getPageAccount();
  const { properties } = recipe.input_schema;
  const { run, ...named } = await searchParams;
  const given = Object.entries(named).filter(([name]) => properties[name]?.type === 'string');
  return (
    <RecipePage
      key={recipe.id}
      recipe={recipe}
      revision={catalogResponse().revision}
      given={Object.fromEntries(given)}
      like={typeof run === 'string' ? run : undefined}
    />
  );
}
