import Link from 'next/link';
import { useQuery } from '@tanstack/react-query';
import { OwnAccount } from '#components/account/own-account';
import { Button } from '#components/ui/button';
import { GemAmount } from '#components/ui/gem-amount';
import { gemsQuery } from '#lib/client/account-queries';

/** What an insufficient balance can still pay for. */
export interface Affordable {
  name: string;
  gems: number;
  /** Action of a button, or URL of a link. */
  take: (() => void) | string;
  /** Called before a link is followed. */
  before?: () => void;
}

/** Options when the balance is insufficient: what it can still pay for, and how to get more gems. */
export function ShortOfGems({ affordable }: { affordable: Affordable | undefined }) {
  const { data } = useQuery(gemsQuery);
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5 pb-1">
      {affordable && <Take {...affordable} />}
      {data?.payment.available ? (
        <Button asChild size="sm" tone="ghost">
          <Link href="/account/gems">Add gems</Link>
        </Button>
      ) : (
        <span className="text-xs text-soft">
          <OwnAccount act="Grant gems to your account">Ask the operator for more gems.</OwnAccount>
        </span>
      )}
    </div>
  );
}

function Take({ name, gems, take, before }: Affordable) {
  const words = (
    <>
      {name} for <GemAmount gems={gems} />
    </>
  );
  return typeof take === 'string' ? (
    <Button asChild size="sm">
      <Link href={take} onClick={before}>
        {words}
      </Link>
    </Button>
  ) : (
    <Button size="sm" onClick={take}>
      {words}
    </Button>
  );
}
