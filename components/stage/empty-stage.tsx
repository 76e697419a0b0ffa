import { Emblem } from '#components/architectures/emblem';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

/** The stage of an account that has made nothing yet: where the first picture will stand, and how it begins. */
export function EmptyStage({ entry }: { entry: CatalogEntry }) {
  return (
    <div className="grid min-h-[calc(100dvh-2rem)] content-center justify-items-center gap-4 rounded-md bg-sunk px-6 text-center max-md:min-h-[calc(100dvh-15rem)]">
      <Emblem id={entry.id} className="size-24" />
      <h2 className="font-title text-head">Nothing has grown yet</h2>
      <p className="max-w-sm text-soft">
        Say what you want to {entry.type === 'audio' ? 'hear' : 'see'}, and press Create. It grows here, and you can
        leave the page meanwhile.
      </p>
    </div>
  );
}
