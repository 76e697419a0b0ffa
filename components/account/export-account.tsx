'use client';

import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useOwnerGate } from '#components/security/owner-gate';
import { Button } from '#components/ui/button';
import { Refused } from '#components/ui/refused';
import { requireRecentSignIn } from '#lib/client/recent-sign-in';

export function ExportAccount() {
  const gate = useOwnerGate();
  const take = useMutation({
    mutationFn: () => gate(requireRecentSignIn),
    onSuccess: () => location.assign('/api/account/export'),
  });
  return (
    <div className="grid justify-items-start gap-4">
      <Refused refusal={take.error} />
      <p className="max-w-prose text-sm text-soft">
        One zip with everything: requests, ledger, characters and references, and every file that has not expired.
      </p>
      <Button busy={take.isPending} onClick={() => take.mutate()}>
        <Download className="size-4" aria-hidden />
        Download everything
      </Button>
    </div>
  );
}
