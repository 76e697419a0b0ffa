'use client';

import { useCallback, useState } from 'react';
import type { RequestWire } from '#lib/contract/schemas';

type Requests = readonly RequestWire[];

/**
 * Returns the index of the current tile, which is the viewed one or the one moved to last, and its setter. The index
 * follows its request when others are added or removed; when that request is removed, a neighbour becomes current.
 */
export function usePlace(requests: Requests, viewed: string | null): [number, (place: number) => void] {
  // null until the user moves to a tile; the first one is current until then
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
