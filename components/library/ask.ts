'use client';

import { useSyncExternalStore } from 'react';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import type { RequestWire } from '#lib/contract/schemas';

/** What a dialog of the library is about. */
export type Asked =
  | { kind: 'collect' | 'tag'; requests: readonly Pick<RequestWire, 'request_id'>[] }
  | { kind: 'delete'; requests: readonly RequestWire[] }
  | { kind: 'share'; of: { request_id: string } | { collection_id: string }; title: string }
  | { kind: 'saved'; part: 'presets' | 'styles' | 'prompts'; entry: CatalogEntry };

let asked: Asked | null = null;
const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Opens a dialog of the library from wherever an act is; `null` closes it. */
export function ask(what: Asked | null): void {
  asked = what;
  for (const listener of listeners) listener();
}

export const useAsked = (): Asked | null =>
  useSyncExternalStore(
    subscribe,
    () => asked,
    () => null,
  );
