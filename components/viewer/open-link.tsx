'use client';

import type { KeyboardEvent, MouseEvent } from 'react';
import Link from 'next/link';
import { labelOf } from '#components/generations/name-of';
import { openInViewer } from '#components/viewer/use-view-address';
import type { RequestWire } from '#lib/contract/schemas';

/** A link over a whole tile that opens its request in the viewer or, with a modifier key, in a new tab or window. */
export function OpenLink({ request }: { request: RequestWire }) {
  const { request_id } = request;
  const open = (event: MouseEvent | KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    openInViewer(request_id);
  };
  return (
    <Link
      href={`/history/${request_id}`}
      prefetch={false}
      data-opens={request_id}
      aria-label={`Open: ${labelOf(request)}`}
      onClick={open}
      onKeyDown={event => event.key === ' ' && open(event)}
      draggable={false}
      className="absolute inset-0 focus-visible:rounded-[inherit] focus-visible:-outline-offset-4"
    />
  );
}
