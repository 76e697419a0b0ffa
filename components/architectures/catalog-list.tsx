import { Emblem } from '#components/architectures/emblem';
import { Takes } from '#components/architectures/takes';
import { GemAmount } from '#components/ui/gem-amount';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import type { ExampleWire } from '#lib/contract/library-schemas';
import { MEDIA_KINDS, MEDIA_NAMES } from '#lib/media-kind';

/** All architectures grouped by media kind, as rows with emblem, name and id, inputs, and price. */
export function CatalogList({
  architectures,
  examples,
}: {
  architectures: readonly CatalogEntry[];
  /** Example results that were chosen for architectures. */
  examples: readonly ExampleWire[];
}) {
  const pictures = new Map(examples.map(({ architecture, result }) => [architecture, result.preview_url]));
  return (
    <div className="grid gap-14">
      {MEDIA_KINDS.map(type => {
        const rows = architectures.filter(architecture => architecture.type === type);
        if (rows.length === 0) return null;
        return (
          <section
            key={type}
            aria-labelledby={`kind-${type}`}
            className="grid gap-x-10 gap-y-4 lg:grid-cols-[11rem_minmax(0,1fr)]"
          >
            <h3 id={`kind-${type}`} className="font-title text-title lg:pt-4">
              {MEDIA_NAMES[type]} <span className="figures font-sans text-sm text-faint">{rows.length}</span>
            </h3>
            <ul className="border-t">
              {rows.map(row => (
                <Row key={row.id} architecture={row} picture={pictures.get(row.id)} />
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}

function Row({ architecture, picture }: { architecture: CatalogEntry; picture: string | undefined }) {
  const { id, name, description, gems } = architecture;
  return (
    <li
      id={id}
      className="grid grid-cols-[2.75rem_minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2 border-b py-4 md:grid-cols-[2.75rem_12rem_minmax(0,1fr)_5.5rem] md:gap-x-6"
    >
      {picture ? (
        // oxlint-disable-next-line nextjs/no-img-element -- previews already have the size of a tile
        <img
          src={picture}
          alt=""
          loading="lazy"
          className="size-11 self-start rounded-md object-cover max-md:row-start-1"
        />
      ) : (
        <Emblem id={id} className="size-11 self-start max-md:row-start-1" />
      )}
      <div className="min-w-0 max-md:col-start-2 max-md:row-start-1">
        <p className="font-title text-lg leading-6">{name}</p>
        <p className="font-mono text-xs text-faint">{id}</p>
      </div>
      <div className="max-md:col-span-2 max-md:col-start-2 max-md:row-start-2">
        <p className="text-sm text-soft">{description}</p>
        <Takes entry={architecture} className="mt-1.5 gap-x-4" />
      </div>
      <p className="justify-self-end text-base max-md:col-start-3 max-md:row-start-1">
        <GemAmount gems={gems} />
      </p>
    </li>
  );
}
