'use client';

import { useRouter } from 'next/navigation';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Button } from '#components/ui/button';
import { ConfirmDialog } from '#components/ui/confirm-dialog';
import { toast } from '#components/ui/toast';
import { RotateDialog } from '#components/webhooks/rotate-dialog';
import { WebhookDialog } from '#components/webhooks/webhook-dialog';
import { orGone } from '#lib/client/or-gone';
import { api } from '#lib/client/queries';
import { webhookQuery } from '#lib/client/webhook-queries';
import type { CreatedWebhookWire, WebhookWire } from '#lib/contract/webhook-schemas';

/** Buttons with the actions for a webhook. */
export function WebhookActs({
  webhook,
  onRotated,
}: {
  webhook: WebhookWire;
  onRotated: (webhook: CreatedWebhookWire) => void;
}) {
  const queries = useQueryClient();
  const params = { webhook_id: webhook.id };
  const refresh = () => queries.invalidateQueries({ queryKey: ['webhooks'] });
  const failed = (error: Error) => toast({ tone: 'bad', title: error.message });
  const test = useMutation({ mutationFn: () => api.testWebhook({ params }), onSettled: refresh, onError: failed });
  const toggle = useMutation({
    mutationFn: () => api.changeWebhook({ params, body: { enabled: !webhook.enabled } }),
    onSettled: refresh,
    onError: failed,
  });
  return (
    <div className="flex flex-wrap gap-2">
      {webhook.url && (
        <>
          <Button
            tone="primary"
            size="sm"
            busy={test.isPending}
            disabled={!webhook.enabled}
            onClick={() => test.mutate()}
          >
            Send a test
          </Button>
          <WebhookDialog webhook={webhook} trigger={<Button size="sm">Change</Button>} />
        </>
      )}
      <RotateDialog webhook={webhook} onRotated={onRotated} />
      <Button size="sm" busy={toggle.isPending} onClick={() => toggle.mutate()}>
        {webhook.enabled ? 'Switch off' : 'Switch on'}
      </Button>
      <DeleteDialog webhook={webhook} />
    </div>
  );
}

function DeleteDialog({ webhook }: { webhook: WebhookWire }) {
  const router = useRouter();
  const queries = useQueryClient();
  return (
    <ConfirmDialog
      title="Delete the webhook?"
      description="Messages that wait are not sent, and its deliveries are deleted."
      confirm="Delete webhook"
      leave="Keep it"
      act={async () => {
        await orGone(api.deleteWebhook({ params: { webhook_id: webhook.id } }));
        void queries.invalidateQueries({ queryKey: webhookQuery(webhook.id).queryKey, refetchType: 'none' });
        // replaced, so that going back does not lead to the deleted webhook
        router.replace('/account/webhooks');
        void queries.invalidateQueries({ queryKey: ['webhooks', 'all'] });
      }}
      trigger={
        <Button size="sm" tone="danger">
          Delete
        </Button>
      }
    />
  );
}
