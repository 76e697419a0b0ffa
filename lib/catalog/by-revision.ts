import { catalog, type Catalog } from '#lib/catalog/catalog';
import { singleton } from '#lib/singleton';

/** What is made from the catalog alone: once for each revision, whoever asks how often. */
export function byRevision<T>(name: string, make: (catalog: Catalog) => T): () => T {
  const last = () => singleton<{ made?: { revision: string; value: T } }>(`by-revision.${name}`, () => ({}));
  return () => {
    const current = catalog();
    const { made } = last();
    if (made?.revision === current.revision) return made.value;
    const value = make(current);
    last().made = { revision: current.revision, value };
    return value;
  };
}
