'use client';

import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { OverlapField } from '#components/account/overlap-field';
import { shownOnce } from '#components/account/shown-once';
import { Button } from '#components/ui/button';
import { ConfirmDialog } from '#components/ui/confirm-dialog';
import { api } from '#lib/client/queries';
import type { CreatedWebhookWire, WebhookWire } from '#lib/contract/webhook-schemas';

/** Gives a webhook a new secret. Messages are signed with both for a while, so that receivers accept them all. */
export function RotateDialog({
  webhook,
  onRotated,
}: {
  webhook: WebhookWire;
  onRotated: (webhook: CreatedWebhookWire) => void;
}) {
  const [hours, setHours] = useState(24);
  const queries = useQueryClient();
  const rotate = async () => {
    const params = { webhook_id: webhook.id };
    try {
      onRotated(await api.rotateWebhookSecret({ params, body: { overlap_hours: hours } }));
    } finally {
      // also when the response was lost: the dialog then shows which secret another attempt would end
      void queries.invalidateQueries({ queryKey: ['webhooks'] });
    }
  };
  return (
    <ConfirmDialog
      title="Create a new secret?"
      description="It is shown only once. Its signature proves that a message is from here."
      confirm="Create new secret"
      tone="primary"
      act={rotate}
      focusAfter={shownOnce}
      trigger={<Button size="sm">New secret</Button>}
    >
      <OverlapField label="Also sign with the present one" hours={hours} onChange={setHours} />
      {webhook.previous_secret_until && <p className="text-sm text-soft">The one before it stops signing at once.</p>}
    </ConfirmDialog>
  );
}
