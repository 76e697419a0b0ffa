'use client';

import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { OverlapField } from '#components/account/overlap-field';
import { shownOnce } from '#components/account/shown-once';
import { Button } from '#components/ui/button';
import { ConfirmDialog } from '#components/ui/confirm-dialog';
import { api } from '#lib/client/queries';
import type { CreatedWebhookWire, WebhookWire } from '#lib/contract/webhook-schemas';

/** Gives a webhook another secret; messages are signed with both for a while, so that none is taken for forged. */
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
    onRotated(await api.rotateWebhookSecret({ params: { webhook_id: webhook.id }, body: { overlap_hours: hours } }));
    void queries.invalidateQueries({ queryKey: ['webhooks'] });
  };
  return (
    <ConfirmDialog
      title="A new secret?"
      description="It is shown once. What is signed with it tells that a message is from here."
      confirm="Make a new secret"
      tone="primary"
      act={rotate}
      focusAfter={shownOnce}
      trigger={<Button size="sm">New secret</Button>}
    >
      <OverlapField label="The present one goes on being signed with" hours={hours} onChange={setHours} />
    </ConfirmDialog>
  );
}
