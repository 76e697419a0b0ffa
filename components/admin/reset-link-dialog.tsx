'use client';

import { useMutation } from '@tanstack/react-query';
import { SecretLink } from '#components/admin/secret-link';
import { useOwnerGate } from '#components/security/owner-gate';
import { Button } from '#components/ui/button';
import { Dialog } from '#components/ui/dialog';
import { Refused } from '#components/ui/refused';
import { operatorApi } from '#lib/client/operator-api';

export function ResetLinkDialog({ account }: { account: { id: string; email: string } }) {
  const gate = useOwnerGate();
  const make = useMutation({
    mutationFn: () => gate(() => operatorApi.makeResetLink({ params: { account_id: account.id } })),
  });
  return (
    <Dialog
      title="Password reset link"
      description={`${account.email} uses it to choose a new password. Send it to them in a way you trust.`}
      stays={make.isPending || make.data !== undefined}
      onOpenChange={() => make.reset()}
      trigger={<Button>Create reset link…</Button>}
    >
      <Refused refusal={make.error} />
      {make.data ? (
        <SecretLink url={make.data.url} expiresAt={make.data.expires_at} />
      ) : (
        <Button tone="primary" busy={make.isPending} onClick={() => make.mutate()}>
          Create link
        </Button>
      )}
    </Dialog>
  );
}
