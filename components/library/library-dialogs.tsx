'use client';

import { ask, useAsked } from '#components/library/ask';
import { onDemand, Opening } from '#components/ui/on-demand';

const AskedDialog = onDemand(async () => (await import('#components/library/asked-dialog')).AskedDialog);

/** What `ask` opens; the studio holds one. */
export function LibraryDialogs() {
  const asked = useAsked();
  return <Opening onClose={() => ask(null)}>{asked && <AskedDialog asked={asked} />}</Opening>;
}
