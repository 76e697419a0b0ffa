'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ConfirmDialog } from '#components/ui/confirm-dialog';
import { Button } from '#components/ui/button';
import { toast } from '#components/ui/toast';
import { useKeptFocus } from '#components/ui/use-kept-focus';
import { operatorApi } from '#lib/client/operator-api';
import type { AdminAccountWire } from '#lib/contract/admin-schemas';

export function DisableAccount({ account }: { account: AdminAccountWire }) {
  const queries = useQueryClient();
  const set = async (disabled: boolean) => {
    await operatorApi.changeAccount({ params: { account_id: account.id }, body: { disabled } });
    await queries.invalidateQueries({ queryKey: ['admin'] });
    toast({ title: `${account.email} is ${disabled ? 'disabled' : 'enabled'}.` });
  };
  const enable = useMutation({
    mutationFn: () => set(false),
    onError: error => toast({ tone: 'bad', title: error.message }),
  });
  // each of the two buttons replaces the other
  const kept = useKeptFocus();
  return (
    <div {...kept}>
      {account.disabled_at ? (
        <Button busy={enable.isPending} onClick={() => enable.mutate()}>
          Enable account
        </Button>
      ) : (
        <ConfirmDialog
          title={`Disable ${account.email}?`}
          description="Its sessions end and its keys are refused from the next request on. Nothing is deleted, and it can be enabled again."
          confirm="Disable account"
          trigger={<Button tone="danger">Disable…</Button>}
          act={() => set(true)}
        />
      )}
    </div>
  );
}
