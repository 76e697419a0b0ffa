'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useOwnerGate } from '#components/security/owner-gate';
import { Button } from '#components/ui/button';
import { CopyButton } from '#components/ui/copy-button';
import { Dialog } from '#components/ui/dialog';
import { Refused } from '#components/ui/refused';
import { studioApi } from '#lib/client/studio-api';
import { profileQuery } from '#lib/client/account-queries';

/** Recovery codes, which are shown only once. */
export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  return (
    <div className="grid gap-5">
      <p className="text-sm text-soft">
        Each signs you in once when you do not have the app. They are not shown again: print them, or keep them with
        your passwords.
      </p>
      <ul
        aria-label="Recovery codes"
        className="grid grid-cols-2 justify-items-center gap-x-6 gap-y-2 rounded-md border bg-sunk px-4 py-5 font-mono text-sm select-all"
      >
        {codes.map(code => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap justify-end gap-3">
        <CopyButton text={codes.join('\n')} label="Copy all" tone="plain" size="md" />
        <Button tone="primary" onClick={onKept}>
          I have saved them
        </Button>
      </div>
    </div>
  );
}

export function NewRecoveryCodes({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const gate = useOwnerGate();
  const make = useMutation({
    mutationFn: () => gate(() => studioApi.renewRecoveryCodes()),
    onSuccess: () => queries.invalidateQueries(profileQuery),
  });
  return (
    <Dialog
      title={make.data ? 'Save these recovery codes' : 'New recovery codes'}
      description={make.data ? undefined : 'Your present codes stop working, used or not.'}
      open
      stays={make.isPending || make.data !== undefined}
      onOpenChange={onClose}
    >
      <Refused refusal={make.error} />
      {make.data ? (
        <RecoveryCodes codes={make.data.recovery_codes} onKept={onClose} />
      ) : (
        <Button tone="primary" busy={make.isPending} onClick={() => make.mutate()}>
          Create new codes
        </Button>
      )}
    </Dialog>
  );
}
