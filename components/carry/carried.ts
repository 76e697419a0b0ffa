'use client';

import { createStore } from '#components/ui/store';
import type { MediaKind } from '#lib/media-kind';

/** Media that one has in hand: from a result, an upload, a character or a reference. */
export interface Carried {
  media: MediaKind;
  url: string;
  /** The words of its prompt, or the name of its file. */
  name: string;
  /** The request whose result it is. */
  requestId?: string | undefined;
  /** Width over height, where it is known. */
  shape?: number | undefined;
  /** A small picture of it. */
  preview?: string | undefined;
}

/** What one is about to do with it. `edit-with` is to have a model edit all of it, `save` to have it as another kind of file. */
export type Intent = 'edit' | 'edit-with' | 'animate' | 'extend' | 'reference' | 'use' | 'enlarge' | 'save';

export interface Offer {
  carried: Carried;
  /** What else is in hand, of whatever kind. */
  more?: readonly Carried[];
  intent: Intent;
}

const { set, useValue } = createStore<Offer | null>(null);

/** Asks what is to be done with media, in a dialog that any page can call up; null puts it away. */
export const offerCarried: (next: Offer | null) => void = set;

export const useOffer = useValue;
