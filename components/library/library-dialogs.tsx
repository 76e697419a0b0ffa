'use client';

import { ask, useAsked } from '#components/library/ask';
import { onDemand, Opening } from '#components/ui/on-demand';

const CollectDialog = onDemand(async () => (await import('#components/library/collect-dialog')).CollectDialog);
const DeleteDialog = onDemand(async () => (await import('#components/library/delete-dialog')).DeleteDialog);
const TagDialog = onDemand(async () => (await import('#components/library/tag-dialog')).TagDialog);
const SavedDialog = onDemand(async () => (await import('#components/presets/saved-dialog')).SavedDialog);
const ShareDialog = onDemand(async () => (await import('#components/library/share-dialog')).ShareDialog);

/** What `ask` opens; the studio holds one. */
export function LibraryDialogs() {
  const asked = useAsked();
  return (
    <Opening onClose={() => ask(null)}>
      {asked?.kind === 'collect' && <CollectDialog requests={asked.requests} />}
      {asked?.kind === 'tag' && <TagDialog requests={asked.requests} />}
      {asked?.kind === 'delete' && <DeleteDialog requests={asked.requests} />}
      {asked?.kind === 'saved' && <SavedDialog part={asked.part} entry={asked.entry} />}
      {asked?.kind === 'share' && <ShareDialog of={asked.of} title={asked.title} />}
    </Opening>
  );
}
