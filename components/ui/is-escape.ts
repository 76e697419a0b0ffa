import type { KeyboardEvent } from 'react';

/** Escape, pressed inside a dialog, that nothing in it took: Radix hands it to the last layer alone, which a notice may be. */
export const isEscape = ({ key, defaultPrevented }: KeyboardEvent): boolean => key === 'Escape' && !defaultPrevented;
