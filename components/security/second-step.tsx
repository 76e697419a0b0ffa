'use client';

import { useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ConfirmDialog } from '#components/ui/confirm-dialog';
import { useOwnerGate } from '#components/security/owner-gate';
import { Badge } from '#components/ui/badge';
import { Button } from '#components/ui/button';
import { Moment } from '#components/ui/moment';
import { onDemand, Opening } from '#components/ui/on-demand';
import { toast } from '#components/ui/toast';
import { studioApi } from '#lib/client/studio-api';
import { profileQuery } from '#lib/client/account-queries';
import type { AccountProfileWire } from '#lib/contract/account-schemas';
import { many } from '#lib/contract/words';

const SetUp = onDemand(async () => (await import('#components/security/set-up-second-step')).SetUpSecondStep);
const NewCodes = onDemand(async () => (await import('#components/security/recovery-codes')).NewRecoveryCodes);

/** Turns the second step (a code from an app after the password) on or off. */
export function SecondStep({ step }: { step: AccountProfileWire['second_step'] }) {
  const [open, setOpen] = useState<'set up' | 'new codes' | null>(null);
  const gate = useOwnerGate();
  const begin = useMutation({
    mutationFn: () => gate(() => studioApi.beginSecondStep()),
    // not opened when the user declines to sign in again
    onSuccess: () => setOpen('set up'),
    onError: ({ message }) => toast({ tone: 'bad', title: message }),
  });
  const close = () => setOpen(null);
  return (
    <div className="grid grid-cols-1 gap-5">
      {step ? <State step={step} /> : <WhatItIs />}
      <div className="flex flex-wrap gap-3">
        {step ? (
          <>
            <Button onClick={() => setOpen('new codes')}>New recovery codes…</Button>
            <TurnOff />
          </>
        ) : (
          <Button busy={begin.isPending} onClick={() => begin.mutate()}>
            Set up…
          </Button>
        )}
      </div>
      <Opening onClose={close}>
        {open === 'set up' && begin.data && <SetUp begun={begin.data} onClose={close} />}
        {open === 'new codes' && <NewCodes onClose={close} />}
      </Opening>
    </div>
  );
}

const WhatItIs = () => (
  <p className="max-w-prose text-sm text-soft">
    A code from an app on your phone, after the password: the password alone is not enough. Passkeys and providers do
    without it: they have checks of their own.
  </p>
);

function State({
  step: { since, recovery_codes_left: left },
}: {
  step: NonNullable<AccountProfileWire['second_step']>;
}) {
  return (
    <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1 text-sm text-soft">
      <Badge tone="good" dot>
        On
      </Badge>
      <span>
        since <Moment at={since} as="day" />
      </span>
      <span className={left < 3 ? 'text-amber' : ''}>{many(left, 'recovery code')} left</span>
    </p>
  );
}

function TurnOff() {
  const queries = useQueryClient();
  const gate = useOwnerGate();
  const turnOff = async () => {
    await gate(() => studioApi.removeSecondStep());
    await queries.invalidateQueries(profileQuery);
    toast({ title: 'The second step is off.' });
  };
  return (
    <ConfirmDialog
      title="Turn the second step off?"
      description="After that the password alone is enough, and the recovery codes stop working."
      confirm="Turn off"
      trigger={<Button tone="danger">Turn off…</Button>}
      act={turnOff}
    />
  );
}
