import { catalog, type Catalog } from '#lib/catalog/catalog';
import { fileRecipes } from '#lib/catalog/recipes';
import { singleton } from '#lib/singleton';

/** Caches a value that depends only on the catalog and its recipes: made once for each revision. */
export function byRevision<T>(name: string, make: (catalog: Catalog) => T): () => T {
  const last = () => singleton<{ made?: { revision: string; value: T } }>(`by-revision.${name}`, () => ({}));
  return () => {
    const current = catalog();
    const revision = `${current.revision} ${fileRecipes().revision}`;
    const { made } = last();
    if (made?.revision === revision) return made.value;
    const value = make(current);
    last().made = { revision, value };
    return value;
  };
}
