'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useOwnerGate } from '#components/security/owner-gate';
import { ConfirmDialog } from '#components/ui/confirm-dialog';
import { Button } from '#components/ui/button';
import { toast } from '#components/ui/toast';
import { operatorApi } from '#lib/client/operator-api';

/** Turns off the second step for a user who has lost the app and the recovery codes. */
export function DropSecondStep({ account }: { account: { id: string; email: string } }) {
  const queries = useQueryClient();
  const gate = useOwnerGate();
  const drop = async () => {
    await gate(() => operatorApi.dropSecondStep({ params: { account_id: account.id } }));
    await queries.invalidateQueries({ queryKey: ['admin'] });
    toast({ title: `${account.email} signs in without a second step.` });
  };
  return (
    <ConfirmDialog
      title="Turn the second step off?"
      description={`Do this only if ${account.email} has lost the app and the recovery codes, and you are sure that it is them asking. After that the password alone is enough.`}
      confirm="Turn it off"
      trigger={<Button>Turn second step off…</Button>}
      act={drop}
    />
  );
}
