'use client';

import { useState } from 'react';
import { SecretLink } from '#components/admin/secret-link';
import { Button } from '#components/ui/button';
import { Dialog } from '#components/ui/dialog';
import { onDemand } from '#components/ui/on-demand';
import type { Output } from '#lib/client/studio-api';

const EmailLinkForm = onDemand(async () => (await import('#components/admin/email-link-form')).EmailLinkForm);

export function EmailLinkDialog({ account }: { account: { id: string; email: string } }) {
  const [made, setMade] = useState<Output<'makeEmailLink'>>();
  const [isUnsaved, setUnsaved] = useState(false);
  return (
    <Dialog
      title="Another e-mail address"
      description={`${account.email} opens a link, signed in, to take the new address. Send it to them in a way you trust.`}
      isUnsaved={isUnsaved}
      stays={made !== undefined}
      onOpenChange={() => setMade(undefined)}
      trigger={<Button>Change e-mail…</Button>}
    >
      {made ? (
        <SecretLink url={made.url} expiresAt={made.expires_at} />
      ) : (
        <EmailLinkForm id={account.id} onMade={setMade} onDirty={setUnsaved} />
      )}
    </Dialog>
  );
}
