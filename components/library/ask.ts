'use client';

import { createStore } from '#components/ui/store';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import type { RequestWire } from '#lib/contract/schemas';

/** A library dialog to show, with what it is about. */
export type Asked =
  | { kind: 'collect' | 'tag'; requests: readonly Pick<RequestWire, 'request_id'>[] }
  | { kind: 'delete' | 'cancel'; requests: readonly RequestWire[] }
  | { kind: 'share'; of: { request_id: string } | { collection_id: string }; title: string }
  | { kind: 'saved'; part: 'presets' | 'styles' | 'prompts'; entry: CatalogEntry };

const { set, useValue } = createStore<Asked | null>(null);

/** Opens a library dialog, from any page; null closes it. */
export const ask: (what: Asked | null) => void = set;

export const useAsked = useValue;
