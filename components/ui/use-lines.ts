'use client';

import { useState } from 'react';

/** Edits a list as text with one item per line. Empty lines, as before a new item, exist only in the text. */
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
