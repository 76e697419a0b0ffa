import { clsx, type ClassValue } from 'clsx';
import { groupOf, SETS_ALSO } from '#components/ui/class-groups';

/** Joins class names; of classes that set the same thing, the last one wins. */
export function cn(...names: ClassValue[]): string {
  const given = clsx(names);
  let known = merged.get(given);
  if (known === undefined) merged.set(given, (known = merge(given)));
  return known;
}

// each page merges the same few hundred lists again and again; a library for all of Tailwind is four times as large
const merged = new Map<string, string>();

function merge(names: string): string {
  const isSet = new Set<string>();
  return names
    .split(/\s+/)
    .filter(Boolean)
    .toReversed()
    .filter(name => {
      const start = nameStart(name);
      const states = name.slice(0, start);
      const group = groupOf(name.slice(start));
      if (!group) return true;
      if (isSet.has(states + group)) return false;
      for (const one of [group, ...(SETS_ALSO[group]?.split(' ') ?? [])]) isSet.add(states + one);
      return true;
    })
    .toReversed()
    .join(' ');
}

/** Returns the index at which a class begins after its variants, such as `hover:`. */
function nameStart(name: string): number {
  let depth = 0;
  let start = 0;
  for (let at = 0; at < name.length; at++) {
    const sign = name[at]!;
    if ('[('.includes(sign)) depth++;
    else if ('])'.includes(sign)) depth--;
    else if (sign === ':' && depth === 0) start = at + 1;
  }
  return start;
}
