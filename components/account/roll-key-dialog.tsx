'use client';

import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { CreatedKey } from '#components/account/create-key-form';
import { OverlapField } from '#components/account/overlap-field';
import { shownOnce } from '#components/account/shown-once';
import { Button } from '#components/ui/button';
import { ConfirmDialog } from '#components/ui/confirm-dialog';
import { studioApi } from '#lib/client/studio-api';
import { keysQuery } from '#lib/client/account-queries';
import type { ApiKeyWire } from '#lib/contract/api-key-schemas';

/** Gives a key a new secret while the old one still works for a while, so that programs can switch without downtime. */
export function RollKeyDialog({ apiKey, onRolled }: { apiKey: ApiKeyWire; onRolled: (key: CreatedKey) => void }) {
  const [hours, setHours] = useState(24);
  const queries = useQueryClient();
  const roll = async () => {
    try {
      onRolled(await studioApi.rollKey({ params: { key_id: apiKey.id }, body: { overlap_hours: hours } }));
    } finally {
      // also when the response was lost: the dialog then shows which secret another attempt would replace
      void queries.invalidateQueries(keysQuery);
    }
  };
  return (
    <ConfirmDialog
      title={`Roll “${apiKey.name}”?`}
      description="It gets a new secret, shown only once. Its permissions, budget and history stay."
      confirm="Roll key"
      tone="primary"
      act={roll}
      focusAfter={shownOnce}
      trigger={
        <Button size="sm">
          Roll<span className="sr-only"> {apiKey.name}</span>
        </Button>
      }
    >
      <OverlapField label={`The key ending in ${apiKey.last_four} keeps working`} hours={hours} onChange={setHours} />
      {apiKey.previous && (
        <p className="text-sm text-soft">
          The one before it, ending in {apiKey.previous.last_four}, stops working now.
        </p>
      )}
    </ConfirmDialog>
  );
}
