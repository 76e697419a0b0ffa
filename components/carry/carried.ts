'use client';

import { createStore } from '#components/ui/store';
import type { MediaKind } from '#lib/media-kind';

/** Media to be used elsewhere: of a result, an upload, a character or a reference. */
export interface Carried {
  media: MediaKind;
  url: string;
  /** Text of the prompt, or name of the file. */
  name: string;
  /** Id of the request whose result this is. */
  requestId?: string | undefined;
  /** Aspect ratio (width / height), where known. */
  shape?: number | undefined;
  /** Length in seconds, where known. */
  duration?: number | undefined;
  /** URL of a small preview image. */
  preview?: string | undefined;
}

/** Intended use of media. `edit-with` has a model edit the whole image, `save` converts to another file format. */
export type Intent = 'edit' | 'edit-with' | 'animate' | 'extend' | 'reference' | 'use' | 'enlarge' | 'save';

export interface Offer {
  carried: Carried;
  /** Further media, of any kind. */
  more?: readonly Carried[];
  intent: Intent;
}

const { set, useValue } = createStore<Offer | null>(null);

/** Opens the dialog for an offer, which any page can do; null closes it. */
export const offerCarried: (next: Offer | null) => void = set;

export const useOffer = useValue;
