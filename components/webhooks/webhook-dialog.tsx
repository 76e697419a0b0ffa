'use client';

import { useRef, useState, type ReactNode } from 'react';
import { shownOnce } from '#components/account/shown-once';
import { Dialog } from '#components/ui/dialog';
import { onDemand } from '#components/ui/on-demand';
import type { CreatedWebhookWire, WebhookWire } from '#lib/contract/webhook-schemas';

const WebhookForm = onDemand(async () => (await import('#components/webhooks/webhook-form')).WebhookForm);

/** Adds an endpoint, or changes `webhook`. */
export function WebhookDialog({
  webhook,
  trigger,
  onCreated,
}: {
  webhook?: WebhookWire;
  trigger: ReactNode;
  onCreated?: (webhook: CreatedWebhookWire) => void;
}) {
  const [open, setOpen] = useState(false);
  const [isUnsaved, setUnsaved] = useState(false);
  const created = useRef(false);
  return (
    <Dialog
      title={webhook ? 'Change the webhook' : 'Add a webhook'}
      description={
        webhook ? 'Messages that wait go to the new address.' : 'Pomona posts to this address when something happens.'
      }
      isUnsaved={isUnsaved}
      open={open}
      onOpenChange={next => {
        created.current = false;
        setOpen(next);
      }}
      focusOnClose={() => (created.current ? shownOnce() : null)}
      trigger={trigger}
    >
      <WebhookForm
        webhook={webhook}
        onDone={added => {
          created.current = added !== undefined;
          setOpen(false);
          if (added) onCreated?.(added);
        }}
        onDirty={setUnsaved}
      />
    </Dialog>
  );
}
