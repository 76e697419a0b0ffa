'use client';

import { lazy, Suspense } from 'react';
import { ask, useAsked } from '#components/library/ask';
import { Coming } from '#components/ui/dialog';

const CollectDialog = lazy(() =>
  import('#components/library/collect-dialog').then(module => ({ default: module.CollectDialog })),
);
const TagDialog = lazy(() => import('#components/library/tag-dialog').then(module => ({ default: module.TagDialog })));
const SavedDialog = lazy(() =>
  import('#components/presets/saved-dialog').then(module => ({ default: module.SavedDialog })),
);
const ShareDialog = lazy(() =>
  import('#components/library/share-dialog').then(module => ({ default: module.ShareDialog })),
);

/** What `ask` opens; the studio holds one. */
export function LibraryDialogs() {
  const asked = useAsked();
  return (
    <Suspense fallback={<Coming onClose={() => ask(null)} />}>
      {asked?.kind === 'collect' && <CollectDialog requests={asked.requests} />}
      {asked?.kind === 'tag' && <TagDialog requests={asked.requests} />}
      {asked?.kind === 'saved' && <SavedDialog part={asked.part} entry={asked.entry} />}
      {asked?.kind === 'share' && <ShareDialog of={asked.of} title={asked.title} />}
    </Suspense>
  );
}
