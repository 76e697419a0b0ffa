'use client';

import { useState } from 'react';

/** A list as a text with one of it in each line: what is empty, as on the way to the next one, stays in the text alone. */
export function useLines(list: readonly string[], onChange: (list: string[]) => void) {
  const [text, setText] = useState(() => list.join('\n'));
  const isShown = listOf(text).join('\n') === list.join('\n');
  return {
    value: isShown ? text : list.join('\n'),
    onText(next: string) {
      setText(next);
      onChange(listOf(next));
    },
  };
}

const listOf = (text: string): string[] =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(Boolean);
