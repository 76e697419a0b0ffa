'use client';

import { useCallback, useState } from 'react';
import type { RequestWire } from '#lib/contract/schemas';

type Requests = readonly RequestWire[];

/**
 * The place of the tile one is at: the one that is viewed, or the last one gone to. It goes along when others come and go;
 * once its tile is gone, it is the neighbour's.
 */
export function usePlace(requests: Requests, viewed: string | null): [number, (place: number) => void] {
  // whoever went to none begins at the first
  const [at, setAt] = useState<{ place: number; requests: Requests } | null>(null);
  const place = placeIn(requests, viewed) ?? (at ? follow(at, requests) : 0);
  if (at ? at.place !== place || at.requests !== requests : place > 0) setAt({ place, requests });
  return [place, useCallback(place => setAt({ place, requests }), [requests])];
}

function placeIn(requests: Requests, id: string | null): number | undefined {
  const place = id === null ? -1 : requests.findIndex(({ request_id }) => request_id === id);
  return place < 0 ? undefined : place;
}

function follow({ place, requests: before }: { place: number; requests: Requests }, requests: Requests): number {
  if (requests === before) return place;
  const places = new Map(requests.map(({ request_id }, index) => [request_id, index]));
  const next = [...before.slice(place), ...before.slice(0, place).toReversed()].find(({ request_id }) =>
    places.has(request_id),
  );
  return next ? places.get(next.request_id)! : 0;
}
