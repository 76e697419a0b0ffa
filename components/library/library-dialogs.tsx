'use client';

import { ask, useAsked } from '#components/library/ask';
import { onDemand, Opening } from '#components/ui/on-demand';

const AskedDialog = onDemand(async () => (await import('#components/library/asked-dialog')).AskedDialog);

/** Shows the dialog that `ask` opens. Rendered once, in the studio. */
export function LibraryDialogs() {
  const asked = useAsked();
  return <Opening onClose={() => ask(null)}>{asked && <AskedDialog asked={asked} />}</Opening>;
}
