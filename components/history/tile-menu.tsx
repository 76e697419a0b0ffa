'use client';

import { Ellipsis } from 'lucide-react';
import { ClosedMenu } from '#components/ui/dropdown-menu';
import { onDemand } from '#components/ui/on-demand';
import type { RequestWire } from '#lib/contract/schemas';

const Open = onDemand(async () => (await import('#components/history/tile-menu-open')).TileMenuOpen);

/** Menu with all actions for a request. */
export function TileMenu({ request, name, tabIndex }: { request: RequestWire; name: string; tabIndex: number }) {
  const trigger = (
    <button
      type="button"
      tabIndex={tabIndex}
      aria-label={`More: ${name}`}
      className="finger absolute -right-1.5 bottom-3.5 grid size-8 place-items-center rounded-full text-soft opacity-0 transition-opacity group-focus-within:opacity-100 group-hover:opacity-100 hover:text-ink focus-visible:rounded-full aria-expanded:opacity-100 pointer-coarse:opacity-100"
    >
      <Ellipsis className="size-4.5" aria-hidden />
    </button>
  );
  return (
    <ClosedMenu trigger={trigger} near={Open.near}>
      {within => <Open request={request} trigger={trigger} within={within} />}
    </ClosedMenu>
  );
}
