import { globSync, readFileSync } from 'node:fs';
import { extendTailwindMerge } from 'tailwind-merge';
import { expect, test } from 'vitest';
import { cn } from '#components/ui/cn';

const whole = extendTailwindMerge({
  cacheSize: 0,
  extend: { theme: { text: ['title', 'head', 'display'], shadow: ['float'] } },
});

/** Returns every class that is used in a component, without its variants. */
function classesInUse(): string[] {
  const found = new Set<string>();
  for (const file of globSync('{app,components}/**/*.tsx'))
    for (const [, text = ''] of readFileSync(file, 'utf8').matchAll(/['"`]([^'"`\n]*)['"`]/g))
      for (const word of text.split(/\s+/))
        found.add(word.replace(/^([a-z*@[][^:[\]]*(\[[^\]]*\])?:|\[[^\]]*\]:)+/, ''));
  return [...found].filter(word => /^-?[a-z][\w\-./%()[\],:#*+]*$/.test(word) && whole(`${word} ${word}`) === word);
}

test('for any two classes in use, cn keeps the same ones as tailwind-merge', () => {
  const classes = classesInUse();
  expect(classes.length).toBeGreaterThan(500);
  const otherwise: string[] = [];
  for (const first of classes)
    for (const second of classes) {
      const both = `${first} ${second}`;
      if (first !== second && cn(both) !== whole(both))
        otherwise.push(`${both}: ${cn(both)} instead of ${whole(both)}`);
    }
  expect(otherwise, 'class-groups.ts does not know what these set').toEqual([]);
});

test('a class overrides a conflicting class only within the same variant', () => {
  expect(cn('px-4 hover:px-2', 'p-1', { 'hover:px-3': true })).toBe('p-1 hover:px-3');
});
