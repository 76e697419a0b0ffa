import Link from 'next/link';
import { RecipeSign } from '#components/recipes/recipe-sign';
import { EmptyState } from '#components/ui/empty-state';
import { GemAmount } from '#components/ui/gem-amount';
import type { RecipeWire } from '#lib/contract/recipe-schemas';

/** The list of recipes: what each does and costs, with its newest image or its icon. */
export function RecipesPage({
  recipes,
  images,
}: {
  recipes: readonly RecipeWire[];
  /** Newest image that the account has from each recipe, by recipe id. */
  images: ReadonlyMap<string, string>;
}) {
  return (
    <>
      <header className="grid gap-2 pb-8">
        <h1 className="font-title text-head">Recipes</h1>
        <p className="max-w-prose text-soft">
          Several generations in one: the prompts are written, each step passes its images to the next, and you know the
          whole price first.
        </p>
      </header>
      {recipes.length === 0 && (
        <EmptyState title="There are no recipes yet">The operator adds them to the catalog.</EmptyState>
      )}
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(17rem,100%),1fr))] gap-x-5 gap-y-8 max-sm:gap-y-6">
        {recipes.map(recipe => (
          <li key={recipe.id}>
            <Card recipe={recipe} image={images.get(recipe.id)} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Card({ recipe, image }: { recipe: RecipeWire; image: string | undefined }) {
  const { id, name, description, gems } = recipe;
  return (
    <article className="group relative grid grid-cols-1 gap-3 min-[20rem]:max-sm:grid-cols-[7rem_minmax(0,1fr)] min-[20rem]:max-sm:gap-4">
      {image ? (
        // oxlint-disable-next-line nextjs/no-img-element -- the preview is already stored at the size of a tile
        <img src={image} alt="" loading="lazy" className="aspect-3/2 w-full rounded-md object-cover" />
      ) : (
        <RecipeSign id={id} />
      )}
      <div className="grid grid-cols-1 content-start gap-1">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 max-sm:flex-col">
          <h2 className="font-title text-title">
            <Link href={`/recipes/${id}`} className="after:absolute after:inset-0 group-hover:underline">
              {name}
            </Link>
          </h2>
          <span className="flex items-baseline gap-1 text-sm text-soft">
            from <GemAmount gems={gems} />
          </span>
        </div>
        <p className="text-sm text-soft">{description}</p>
      </div>
    </article>
  );
}
