'use client';

import { useMutation } from '@tanstack/react-query';
import { Alert } from '#components/ui/alert';
import { Button } from '#components/ui/button';
import { accountApi } from '#lib/client/account-api';

export function SignOutEverywhere() {
  const leave = useMutation({
    mutationFn: () => accountApi.signOutEverywhere(),
    onSuccess: () => location.assign('/sign-in'),
  });
  return (
    <div className="grid justify-items-start gap-4">
      {leave.error && <Alert tone="bad" title={leave.error.message} />}
      <p className="max-w-prose text-sm text-soft">
        Ends every session of this account at once, this one too. API keys go on working.
      </p>
      <Button busy={leave.isPending} onClick={() => leave.mutate()}>
        Sign out everywhere
      </Button>
    </div>
  );
}
