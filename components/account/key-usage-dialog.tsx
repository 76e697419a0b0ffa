'use client';

import { Button } from '#components/ui/button';
import { Dialog } from '#components/ui/dialog';
import { onDemand } from '#components/ui/on-demand';
import type { ApiKeyWire } from '#lib/contract/api-key-schemas';

const Usage = onDemand(async () => (await import('#components/account/usage')).Usage);

/** Usage of a key. `names` has the names of the architectures by id. */
export function KeyUsageDialog({ apiKey, names }: { apiKey: ApiKeyWire; names: Record<string, string> }) {
  return (
    <Dialog
      title={`Usage of ${apiKey.name}`}
      shape="wide"
      trigger={
        <Button size="sm">
          Usage<span className="sr-only"> of {apiKey.name}</span>
        </Button>
      }
    >
      <Usage names={names} keyId={apiKey.id} />
    </Dialog>
  );
}
