'use client';

import { useQueryClient } from '@tanstack/react-query';
import { ConfirmDialog } from '#components/ui/confirm-dialog';
import { Button } from '#components/ui/button';
import { toast } from '#components/ui/toast';
import { operatorApi } from '#lib/client/operator-api';

/** For whoever lost the app and the recovery codes. */
export function DropSecondStep({ account }: { account: { id: string; email: string } }) {
  const queries = useQueryClient();
  const drop = async () => {
    await operatorApi.dropSecondStep({ params: { account_id: account.id } });
    await queries.invalidateQueries({ queryKey: ['admin'] });
    toast({ title: `${account.email} signs in without a second step.` });
  };
  return (
    <ConfirmDialog
      title="Take the second step off?"
      description={`Do it when ${account.email} lost the app and the recovery codes, and you know that it is them who ask. The password alone signs in then.`}
      confirm="Take it off"
      trigger={<Button>Take second step off…</Button>}
      act={drop}
    />
  );
}
