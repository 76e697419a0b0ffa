'use client';

import { Button } from '#components/ui/button';
import { Dialog } from '#components/ui/dialog';
import { onDemand } from '#components/ui/on-demand';

const EmailLinkForm = onDemand(async () => (await import('#components/admin/email-link-form')).EmailLinkForm);

export function EmailLinkDialog({ account }: { account: { id: string; email: string } }) {
  return (
    <Dialog
      title="Another e-mail address"
      description={`With a link ${account.email} takes the address, signed in. Send it to them on a way you trust.`}
      trigger={<Button>Change e-mail…</Button>}
    >
      <EmailLinkForm id={account.id} />
    </Dialog>
  );
}
