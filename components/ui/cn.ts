import { clsx, type ClassValue } from 'clsx';
import { createTailwindMerge } from 'tailwind-merge';
import { CLASS_GROUPS, SETS_ALSO } from '#components/ui/class-groups';

// every page carries this: the groups of the whole of Tailwind, which the library has by default, are four times as large
const merge = createTailwindMerge(() => ({
  cacheSize: 500,
  theme: {},
  classGroups: CLASS_GROUPS,
  conflictingClassGroups: SETS_ALSO,
  conflictingClassGroupModifiers: {},
  orderSensitiveModifiers: [],
}));

/** Joins class names; of two that set the same thing the later wins. */
export const cn = (...names: ClassValue[]): string => merge(clsx(names));
