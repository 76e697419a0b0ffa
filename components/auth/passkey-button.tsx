'use client';

import { useState } from 'react';
import { Fingerprint } from 'lucide-react';
import { Alert } from '#components/ui/alert';
import { Button, type ButtonProps } from '#components/ui/button';
import { withReason } from '#components/ui/on-demand';
import { studioApi } from '#lib/client/studio-api';
import { passkeyTrouble } from '#lib/client/passkey-trouble';

/** Signs in with a passkey of this browser. */
export function PasskeyButton({ tone = 'plain', done }: { tone?: NonNullable<ButtonProps['tone']>; done: () => void }) {
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  const sign = async () => {
    setBusy(true);
    setTrouble(undefined);
    try {
      await signInWithPasskey();
      done();
    } catch (error) {
      setTrouble(passkeyTrouble(error as Error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="grid gap-3">
      {trouble && <Alert tone="bad" title={trouble} />}
      <Button size="lg" tone={tone} busy={busy} onClick={() => void sign()}>
        {!busy && <Fingerprint className="size-4" aria-hidden />}
        Continue with a passkey
      </Button>
    </div>
  );
}

async function signInWithPasskey(): Promise<void> {
  const [{ startAuthentication }, { options }] = await Promise.all([
    import('@simplewebauthn/browser').catch(withReason),
    studioApi.challengePasskey(),
  ]);
  const body = await startAuthentication({ optionsJSON: options as never });
  await studioApi.signInWithPasskey({ body: { ...body, clientExtensionResults: {} } });
}
