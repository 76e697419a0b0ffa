import { globSync, readFileSync } from 'node:fs';
import { extendTailwindMerge } from 'tailwind-merge';
import { expect, test } from 'vitest';
import { cn } from '#components/ui/cn';

const whole = extendTailwindMerge({
  cacheSize: 0,
  extend: { theme: { text: ['title', 'head', 'display'], shadow: ['float'] } },
});

/** Every class that stands in a component, without the states it holds in. */
function classesInUse(): string[] {
  const found = new Set<string>();
  for (const file of globSync('{app,components}/**/*.tsx'))
    for (const [, text = ''] of readFileSync(file, 'utf8').matchAll(/['"`]([^'"`\n]*)['"`]/g))
      for (const word of text.split(/\s+/))
        found.add(word.replace(/^([a-z*@[][^:[\]]*(\[[^\]]*\])?:|\[[^\]]*\]:)+/, ''));
  return [...found].filter(word => /^-?[a-z][\w\-./%()[\],:#*+]*$/.test(word) && whole(`${word} ${word}`) === word);
}

test('of any two classes in use the same ones win as by all the rules of Tailwind', () => {
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

test('a class holds in its state alone', () => {
  expect(cn('px-4 hover:px-2', 'p-1', { 'hover:px-3': true })).toBe('p-1 hover:px-3');
});
