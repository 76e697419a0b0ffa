'use client';

import type { Asked } from '#components/library/ask';
import { CancelDialog } from '#components/library/cancel-dialog';
import { CollectDialog } from '#components/library/collect-dialog';
import { DeleteDialog } from '#components/library/delete-dialog';
import { ShareDialog } from '#components/library/share-dialog';
import { TagDialog } from '#components/library/tag-dialog';
import { onDemand } from '#components/ui/on-demand';

const SavedDialog = onDemand(async () => (await import('#components/presets/saved-dialog')).SavedDialog);

/** All library dialogs in one bundle, because separate lazy imports would add to the code of every page. */
export function AskedDialog({ asked }: { asked: Asked }) {
  switch (asked.kind) {
    case 'collect':
      return <CollectDialog requests={asked.requests} />;
    case 'tag':
      return <TagDialog requests={asked.requests} />;
    case 'delete':
      return <DeleteDialog requests={asked.requests} />;
    case 'cancel':
      return <CancelDialog requests={asked.requests} />;
    case 'saved':
      return <SavedDialog part={asked.part} entry={asked.entry} />;
    case 'share':
      return <ShareDialog of={asked.of} title={asked.title} />;
  }
}
