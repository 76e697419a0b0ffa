'use client';

import { useQuery } from '@tanstack/react-query';
import { AutoTopUp } from '#components/account/auto-top-up';
import { Ledger } from '#components/account/ledger';
import { OwnAccount } from '#components/account/own-account';
import { Payments } from '#components/account/payments';
import { PaymentOutcome } from '#components/account/payment-outcome';
import { TopUpDialog } from '#components/account/top-up-dialog';
import { Usage } from '#components/account/usage';
import { Alert } from '#components/ui/alert';
import { Panel } from '#components/ui/panel';
import { GemAmount } from '#components/ui/gem-amount';
import { gemsQuery } from '#lib/client/account-queries';
import type { GemsOverviewWire, UsageWire } from '#lib/contract/gem-schemas';
import { many } from '#lib/contract/words';

/**
 * The Gems tab. `first` is the data that came with the document, `names` has the names of the architectures by id, and
 * `payment` is the one from whose page the user returns.
 */
export function Gems({
  first,
  names,
  payment,
}: {
  first: { gems: GemsOverviewWire; usage: UsageWire };
  names: Record<string, string>;
  payment: { id: string; isCancelled: boolean } | null;
}) {
  // polled here, where the user watches the balance, so that gems spent by programs show soon
  const { data: gems } = useQuery({
    ...gemsQuery,
    initialData: first.gems,
    initialDataUpdatedAt: 0,
    refetchInterval: 5_000,
  });
  return (
    <div className="grid grid-cols-1 gap-12">
      {payment && <PaymentOutcome {...payment} />}
      <div className="grid grid-cols-1 gap-6">
        {gems.owed > 0 && <Owed gems={gems.owed} />}
        <Balance gems={gems} />
      </div>
      <Panel title="Usage">
        <Usage names={names} first={first.usage} />
      </Panel>
      <Panel title="Auto top-up">
        <AutoTopUp gems={gems} />
      </Panel>
      <Ledger />
      <Payments />
    </div>
  );
}

function Balance({ gems }: { gems: GemsOverviewWire }) {
  return (
    <section aria-label="Balance" className="flex flex-wrap items-end justify-between gap-x-10 gap-y-5">
      <div className="grid gap-1">
        <p className="text-sm text-faint">Balance</p>
        <p className="font-title text-display">
          <GemAmount
            gems={gems.balance}
            className="gap-[0.25em] wrap-anywhere whitespace-normal [&>svg]:size-[0.6em] [&>svg]:translate-y-0"
          />
        </p>
      </div>
      {gems.payment.available ? (
        <TopUpDialog gems={gems} />
      ) : (
        <p className="max-w-xs text-sm text-soft">
          <OwnAccount act="Grant gems to your account">
            To get more gems, ask the operator of this deployment.
          </OwnAccount>
        </p>
      )}
    </section>
  );
}

function Owed({ gems }: { gems: number }) {
  return (
    <Alert tone="warn" title={`You owe ${many(gems, 'gem')}.`}>
      A payment was returned after its gems were spent. They are deducted from the next gems you buy.
    </Alert>
  );
}
