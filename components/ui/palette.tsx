'use client';

import '#components/ui/style-nonce';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Command, defaultFilter } from 'cmdk';
import { Dialog as Radix } from 'radix-ui';
import { closeLast, useCloseRequests } from '#components/ui/use-close-requests';
import { useFocusBack } from '#components/ui/use-focus-back';

const NOTHING: readonly unknown[] = [];

/** Filters by the keywords of a row; its value only identifies it. */
const byWords = (_: string, search: string, words: string[] = []): number => defaultFilter(words.join(' '), search);

/** A dialog with a search field and the matching rows: arrow keys move through them, Enter selects one. */
export function Palette({
  title,
  placeholder,
  words,
  onWords,
  nothing,
  shouldFilter = true,
  found = NOTHING,
  onClose,
  children,
}: {
  title: string;
  placeholder: string;
  words: string;
  onWords: (words: string) => void;
  /** Shown when there are no rows. */
  nothing: ReactNode;
  /** False if the rows are already the search results. */
  shouldFilter?: boolean;
  /** Rows found by another search, which arrive later than the others. */
  found?: readonly unknown[];
  onClose: () => void;
  children: ReactNode;
}) {
  const onCloseAutoFocus = useFocusBack();
  useCloseRequests(onClose);
  const [chosen, setChosen] = useState('');
  const list = useRef<HTMLDivElement>(null);
  // the first row is selected when the search changes, before these rows arrive
  useEffect(() => {
    if (found.length === 0 || list.current?.querySelector('[cmdk-item][aria-selected=true]')) return;
    const first = list.current?.querySelector('[cmdk-item]')?.getAttribute('data-value');
    if (first) setChosen(first);
  }, [found]);
  return (
    <Radix.Root open onOpenChange={closeLast}>
      <Radix.Portal>
        <Radix.Overlay data-veil className="animate-fade-in fixed inset-0 z-50 bg-veil" />
        <Radix.Content
          aria-describedby={undefined}
          onCloseAutoFocus={onCloseAutoFocus}
          className="animate-rise fixed inset-x-4 top-[12dvh] z-50 m-auto max-w-xl overflow-hidden rounded-lg bg-raised shadow-float outline-hidden"
        >
          <Radix.Title className="sr-only">{title}</Radix.Title>
          <Command
            value={chosen}
            onValueChange={setChosen}
            label={title}
            shouldFilter={shouldFilter}
            filter={byWords}
            loop
          >
            <Command.Input
              placeholder={placeholder}
              value={words}
              onValueChange={onWords}
              className="w-full border-b bg-transparent px-5 py-4 text-base text-ellipsis outline-none"
            />
            <Command.List
              ref={list}
              className="scroll-shade max-h-[min(26rem,60dvh)] overflow-y-auto overscroll-contain p-2"
              // a scrollable region must be reachable by keyboard
              tabIndex={0}
            >
              {nothing && <Command.Empty className="px-3 py-8 text-center text-sm text-soft">{nothing}</Command.Empty>}
              {children}
            </Command.List>
          </Command>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
