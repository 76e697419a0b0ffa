'use client';

import { useRef, useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { OVERLAPS } from '#components/account/roll-key-dialog';
import { shownOnce } from '#components/account/shown-once';
import { Alert } from '#components/ui/alert';
import { Button } from '#components/ui/button';
import { Dialog, DialogClose } from '#components/ui/dialog';
import { Field } from '#components/ui/field';
import { Select } from '#components/ui/select';
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
  const [open, setOpen] = useState(false);
  const [overlap, setOverlap] = useState('24');
  const done = useRef(false);
  const queries = useQueryClient();
  const rotate = useMutation({
    mutationFn: () =>
      api.rotateWebhookSecret({ params: { webhook_id: webhook.id }, body: { overlap_hours: Number(overlap) } }),
    onSuccess: rotated => {
      done.current = true;
      void queries.invalidateQueries({ queryKey: ['webhooks'] });
      setOpen(false);
      onRotated(rotated);
    },
  });
  return (
    <Dialog
      title="A new secret?"
      description="It is shown once. What is signed with it tells that a message is from here."
      open={open}
      onOpenChange={setOpen}
      focusOnClose={() => (done.current ? shownOnce() : null)}
      trigger={<Button size="sm">New secret</Button>}
      footer={
        <>
          <DialogClose>
            <Button tone="ghost">Leave it</Button>
          </DialogClose>
          <Button tone="primary" busy={rotate.isPending} onClick={() => rotate.mutate()}>
            Make a new secret
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-1 gap-4">
        {rotate.error && <Alert tone="bad" title={rotate.error.message} />}
        <Field label="The present one goes on being signed with">
          <Select options={OVERLAPS} value={overlap} onChange={event => setOverlap(event.target.value)} />
        </Field>
      </div>
    </Dialog>
  );
}
