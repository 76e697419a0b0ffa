'use client';

import { useRef, type KeyboardEvent } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { promptsQuery } from '#lib/client/prompt-queries';

/** ArrowUp in an empty prompt recalls past prompts one by one and ArrowDown goes back, until the text is edited. */
export function usePastPrompts(value: string, onChange: (prompt: string) => void) {
  const queries = useQueryClient();
  const recalled = useRef({ prompts: [] as string[], at: -1 });
  return (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!step || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return;
    const { prompts, at } = recalled.current;
    const go = (to: number, all: string[]) => {
      recalled.current = { prompts: all, at: to };
      if (to < all.length) onChange(all[to] ?? '');
    };
    if (value === '') {
      if (step < 0) return;
      event.preventDefault();
      const field = event.currentTarget;
      // nothing is recalled if the prompts cannot be loaded, or if text was typed meanwhile
      void queries.fetchQuery(promptsQuery('')).then(
        all => field.value === '' && go(0, all),
        () => {},
      );
    } else if (prompts[at] === value && event.currentTarget.selectionStart === value.length) {
      event.preventDefault();
      if (at + step < prompts.length) go(at + step, prompts);
    }
  };
}
