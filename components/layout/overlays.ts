'use client';

import { createStore } from '#components/ui/store';

/** `composer` is the form of a page where it is folded away. */
type Overlay = 'palette' | 'shortcuts' | 'composer';

const { set, useValue } = createStore<Overlay | null>(null);

/** Shows an overlay, which any page can do; null hides it. */
export const showOverlay: (overlay: Overlay | null) => void = set;

export const useOverlay = useValue;

/** Text typed for the palette before its code has loaded. */
export const early = createStore('');
