'use client';

import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { generate } from 'lean-qr';
import { toSvgPath } from 'lean-qr/extras/svg';
import { useOwnerGate } from '#components/security/owner-gate';
import { RecoveryCodes } from '#components/security/recovery-codes';
import { Button } from '#components/ui/button';
import { CopyButton } from '#components/ui/copy-button';
import { Dialog } from '#components/ui/dialog';
import { Field } from '#components/ui/field';
import { Input } from '#components/ui/input';
import { Refused } from '#components/ui/refused';
import { useContractForm } from '#components/ui/use-contract-form';
import { studioApi } from '#lib/client/studio-api';
import { profileQuery } from '#lib/client/account-queries';

/** Shows the secret for an authenticator app, asks for a code of the app, then shows the recovery codes. */
export function SetUpSecondStep({ begun, onClose }: { begun: { secret: string; uri: string }; onClose: () => void }) {
  const queries = useQueryClient();
  const gate = useOwnerGate();
  const [codes, setCodes] = useState<string[]>();
  const form = useContractForm({
    schema: async () => (await import('#lib/contract/sign-in-schemas')).secondStepCode,
    defaultValues: { code: '' },
    // refetched in any case, because the second step may be on although the response was lost
    send: body =>
      gate(() => studioApi.confirmSecondStep({ body })).finally(() => void queries.invalidateQueries(profileQuery)),
    done: ({ recovery_codes }) => setCodes(recovery_codes),
  });
  return (
    <Dialog
      title={codes ? 'Save these recovery codes' : 'Set up the second step'}
      description={codes ? undefined : 'Scan this with an authenticator app, then type the code it shows.'}
      open
      stays={form.busy || codes !== undefined}
      onOpenChange={onClose}
    >
      {codes ? (
        <RecoveryCodes codes={codes} onKept={onClose} />
      ) : (
        <div className="grid gap-6">
          <div className="grid justify-items-center gap-3">
            <QrCode text={begun.uri} />
            <p className="flex flex-wrap items-center justify-center gap-x-2 text-xs text-faint">
              No camera? Type <code className="font-mono break-all text-ink select-all">{begun.secret}</code>
              <CopyButton text={begun.secret} of="secret" />
            </p>
          </div>
          <form onSubmit={form.submit} noValidate className="grid gap-5">
            <Refused refusal={form.refusal} />
            <Field label="Code" error={form.problem('code')}>
              <Input autoComplete="one-time-code" inputMode="numeric" className="figures" {...form.register('code')} />
            </Field>
            <Button type="submit" tone="primary" size="lg" busy={form.busy}>
              Turn on
            </Button>
          </form>
        </div>
      )}
    </Dialog>
  );
}

/** A QR code, dark on light in both themes, as cameras expect. */
function QrCode({ text }: { text: string }) {
  const code = generate(text);
  const margin = 3;
  const size = code.size + 2 * margin;
  return (
    <svg viewBox={`${-margin} ${-margin} ${size} ${size}`} className="size-48 rounded-md">
      <title>QR code</title>
      <rect x={-margin} y={-margin} width={size} height={size} fill="#fff" />
      <path d={toSvgPath(code)} fill="#15110e" />
    </svg>
  );
}
