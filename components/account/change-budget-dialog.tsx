'use client';

import { useState } from 'react';
import { Button } from '#components/ui/button';
import { Dialog } from '#components/ui/dialog';
import { onDemand } from '#components/ui/on-demand';
import type { ApiKeyWire } from '#lib/contract/api-key-schemas';

const BudgetForm = onDemand(async () => (await import('#components/account/change-budget-form')).BudgetForm);

/** Changes the monthly budget of a key or an app, effective from its next request. */
export function ChangeBudgetDialog({ apiKey }: { apiKey: ApiKeyWire }) {
  const [open, setOpen] = useState(false);
  const [isUnsaved, setUnsaved] = useState(false);
  return (
    <Dialog
      title={`Budget of ${apiKey.name}`}
      isUnsaved={isUnsaved}
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button size="sm">
          Budget<span className="sr-only"> of {apiKey.name}</span>
        </Button>
      }
    >
      <BudgetForm apiKey={apiKey} onDone={() => setOpen(false)} onDirty={setUnsaved} />
    </Dialog>
  );
}
