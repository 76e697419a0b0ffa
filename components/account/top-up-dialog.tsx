'use client';

import { useState } from 'react';
import { Plus } from 'lucide-react';
import { Button } from '#components/ui/button';
import { Dialog } from '#components/ui/dialog';
import { onDemand } from '#components/ui/on-demand';
import type { GemsOverviewWire } from '#lib/contract/gem-schemas';

const TopUpForm = onDemand(async () => (await import('#components/account/top-up-form')).TopUpForm);

export function TopUpDialog({ gems }: { gems: GemsOverviewWire }) {
  const [open, setOpen] = useState(false);
  const [isUnsaved, setUnsaved] = useState(false);
  const { provider, allowance } = gems.payment;
  return (
    <Dialog
      title="Top up"
      description={
        provider === 'stripe'
          ? 'You pay at Stripe and come back here.'
          : `Added at once and put on this account's statement. ${(allowance ?? 0).toLocaleString('en')} more gems can be added this month.`
      }
      isUnsaved={isUnsaved}
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button tone="primary" size="lg">
          <Plus className="size-4" aria-hidden />
          Top up
        </Button>
      }
    >
      <TopUpForm gems={gems} onBooked={() => setOpen(false)} onDirty={setUnsaved} />
    </Dialog>
  );
}
