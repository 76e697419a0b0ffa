'use client';

import { createStore } from '#components/ui/store';

/** `composer` is the form of a page that has it folded. */
type Overlay = 'palette' | 'shortcuts' | 'composer';

const { set, useValue } = createStore<Overlay | null>(null);

/** Shows one of the things that any page can call up, or puts it away. */
export const showOverlay: (overlay: Overlay | null) => void = set;

export const useOverlay = useValue;

/** What was typed for the palette before it could take it. */
export const early = createStore('');
