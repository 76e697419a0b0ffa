import Link from 'next/link';
import { useQuery } from '@tanstack/react-query';
import { cheaperSetting } from '#components/studio/cheaper-setting';
import type { Config } from '#components/studio/config';
import { Button } from '#components/ui/button';
import { GemAmount } from '#components/ui/gem-amount';
import { priceOf } from '#lib/catalog/price';
import { gemsQuery } from '#lib/client/account-queries';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

/** What can be done when the gems do not suffice: fewer, a cheaper setting or a cheaper model of the kind, and the way to more. */
export function ShortOfGems({
  entries,
  entry,
  config,
  price,
  count,
  onCount,
  setField,
}: {
  entries: readonly CatalogEntry[];
  /** The model that is chosen. */
  entry: CatalogEntry;
  config: Config;
  /** Of one; the button makes `count`. */
  price: number;
  count: number;
  onCount: (count: number) => void;
  setField: (name: string, value: unknown) => void;
}) {
  const { data: gems } = useQuery(gemsQuery);
  if (!gems || gems.balance >= price * count) return null;
  const { balance, payment } = gems;
  const fewer = Math.floor(balance / price);
  // media may cost as well, which only the server knows
  const setting = price === priceOf(entry, config) ? cheaperSetting(entry, config, balance) : undefined;
  const [model] = entries
    .filter(({ type, id, gems }) => type === entry.type && id !== entry.id && gems <= balance)
    .toSorted((a, b) => a.gems - b.gems);
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5 pb-1">
      {fewer > 0 ? (
        <Button size="sm" onClick={() => onCount(fewer)}>
          Make {fewer} for <GemAmount gems={fewer * price} />
        </Button>
      ) : setting ? (
        <Button
          size="sm"
          onClick={() => {
            onCount(1);
            setField(setting.name, setting.token);
          }}
        >
          {setting.title} {setting.token} for <GemAmount gems={setting.gems} />
        </Button>
      ) : (
        model && (
          <Button asChild size="sm">
            <Link href={`/create/${model.id}`}>
              {model.name} for <GemAmount gems={model.gems} />
            </Link>
          </Button>
        )
      )}
      {payment.available ? (
        <Button asChild size="sm" tone="ghost">
          <Link href="/account/gems">Add gems</Link>
        </Button>
      ) : (
        <span className="text-xs text-soft">Ask the operator for more gems.</span>
      )}
    </div>
  );
}
