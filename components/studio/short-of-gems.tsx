import Link from 'next/link';
import { Button } from '#components/ui/button';
import { GemAmount } from '#components/ui/gem-amount';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

/** What can be done when the gems do not suffice: the cheapest model of the kind that they pay for, and the way to more. */
export function ShortOfGems({
  entries,
  entry,
  balance,
  total,
}: {
  entries: readonly CatalogEntry[];
  /** The model that is chosen. */
  entry: CatalogEntry;
  balance: number | undefined;
  /** What the button would cost. */
  total: number;
}) {
  if (balance === undefined || balance >= total) return null;
  const [cheapest] = entries
    .filter(({ type, id, gems }) => type === entry.type && id !== entry.id && gems <= balance)
    .toSorted((a, b) => a.gems - b.gems);
  return (
    <p className="flex flex-wrap gap-1.5 pb-1">
      {cheapest && (
        <Button asChild size="sm">
          <Link href={`/create/${cheapest.id}`}>
            {cheapest.name} for <GemAmount gems={cheapest.gems} />
          </Link>
        </Button>
      )}
      <Button asChild size="sm" tone={cheapest ? 'ghost' : 'plain'}>
        <Link href="/account/gems">Add gems</Link>
      </Button>
    </p>
  );
}
