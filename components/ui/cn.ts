import { clsx, type ClassValue } from 'clsx';
import { extendTailwindMerge } from 'tailwind-merge';

// without this the sizes of our own scale are taken for text colours
const merge = extendTailwindMerge({ extend: { theme: { text: ['title', 'head', 'display'] } } });

/** Joins class names; of two that set the same thing the later wins. */
export const cn = (...names: ClassValue[]): string => merge(clsx(names));
