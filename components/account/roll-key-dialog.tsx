'use client';

import { useRef, useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { CreatedKey } from '#components/account/create-key-form';
import { Alert } from '#components/ui/alert';
import { shownOnce } from '#components/account/shown-once';
import { Button } from '#components/ui/button';
import { Dialog, DialogClose } from '#components/ui/dialog';
import { Field } from '#components/ui/field';
import { Select } from '#components/ui/select';
import { accountApi } from '#lib/client/account-api';
import { keysQuery } from '#lib/client/account-queries';
import type { ApiKeyWire } from '#lib/contract/account-schemas';

/** How long what was before a change holds beside what comes. */
export const OVERLAPS = [
  { value: '0', label: 'Not at all: it ends at once' },
  { value: '1', label: 'For an hour' },
  { value: '24', label: 'For a day' },
  { value: '168', label: 'For a week' },
];

/** Gives a key another secret while the former one still works, so that programs can change over without a pause. */
export function RollKeyDialog({ apiKey, onRolled }: { apiKey: ApiKeyWire; onRolled: (key: CreatedKey) => void }) {
  const [open, setOpen] = useState(false);
  const [overlap, setOverlap] = useState('24');
  const rolled = useRef(false);
  const queries = useQueryClient();
  const roll = useMutation({
    mutationFn: () => accountApi.rollKey({ params: { key_id: apiKey.id }, body: { overlap_hours: Number(overlap) } }),
    onSuccess: key => {
      rolled.current = true;
      void queries.invalidateQueries(keysQuery);
      setOpen(false);
      onRolled(key);
    },
  });
  return (
    <Dialog
      title={`Roll “${apiKey.name}”?`}
      description="It gets another secret, shown once. What it may do, its budget and its history stay."
      open={open}
      onOpenChange={setOpen}
      focusOnClose={() => (rolled.current ? shownOnce() : null)}
      trigger={
        <Button size="sm">
          Roll<span className="sr-only"> {apiKey.name}</span>
        </Button>
      }
      footer={
        <>
          <DialogClose>
            <Button tone="ghost">Leave it</Button>
          </DialogClose>
          <Button tone="primary" busy={roll.isPending} onClick={() => roll.mutate()}>
            Roll key
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-1 gap-4">
        {roll.error && <Alert tone="bad" title={roll.error.message} />}
        <Field label={`The key ending in ${apiKey.last_four} goes on working`}>
          <Select options={OVERLAPS} value={overlap} onChange={event => setOverlap(event.target.value)} />
        </Field>
        {apiKey.previous && (
          <p className="text-sm text-soft">The one before it, ending in {apiKey.previous.last_four}, ends now.</p>
        )}
      </div>
    </Dialog>
  );
}
