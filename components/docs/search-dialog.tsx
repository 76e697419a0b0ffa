'use client';

import '#components/ui/style-nonce';
import { useEffect, useMemo, useState } from 'react';
import { useRouter } from 'next/navigation';
import { Command } from 'cmdk';
import MiniSearch from 'minisearch';
import { Dialog as Radix } from 'radix-ui';
import { useFocusBack } from '#components/ui/use-focus-back';
import type { DocsSection } from '#lib/docs/sections';

const MOST = 12;

/** Finds parts of pages by words, by beginnings of words, and by words with a slip in them. */
export function SearchDialog({ onClose }: { onClose: () => void }) {
  const router = useRouter();
  const onCloseAutoFocus = useFocusBack();
  const [words, setWords] = useState('');
  const { index, problem } = useSectionIndex();
  const found = useMemo(() => (words && index ? index.search(words).slice(0, MOST) : []), [words, index]);
  const go = (href: string) => {
    onClose();
    router.push(href);
  };
  return (
    <Radix.Root open onOpenChange={open => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="animate-fade-in fixed inset-0 z-40 bg-veil" />
        <Radix.Content
          aria-describedby={undefined}
          onCloseAutoFocus={onCloseAutoFocus}
          className="animate-rise fixed inset-x-4 top-[12dvh] z-50 m-auto max-w-xl overflow-hidden rounded-lg bg-raised shadow-float outline-none"
        >
          <Radix.Title className="sr-only">Search the documentation</Radix.Title>
          <Command label="Search the documentation" shouldFilter={false} loop>
            <Command.Input
              value={words}
              onValueChange={setWords}
              placeholder="A field, an error, a header, a thing to do"
              className="w-full border-b bg-transparent px-5 py-4 text-base outline-none"
            />
            <Command.List
              className="max-h-[min(28rem,60dvh)] overflow-y-auto overscroll-contain p-2"
              // what scrolls must be reachable by keyboard
              tabIndex={0}
            >
              {words && index && (
                <Command.Empty className="px-3 py-8 text-center text-sm text-soft">
                  Nothing speaks of this. Try one word of it.
                </Command.Empty>
              )}
              {problem && <p className="px-3 py-8 text-center text-sm text-danger">{problem}</p>}
              {found.map(({ id, title, heading, text }) => (
                <Command.Item
                  key={String(id)}
                  value={String(id)}
                  onSelect={() => go(String(id))}
                  className="grid cursor-pointer gap-0.5 rounded-md px-3 py-2 text-sm data-[selected=true]:bg-ink/8"
                >
                  <span className="font-medium">
                    {title}
                    {heading && <span className="font-normal text-soft"> · {heading}</span>}
                  </span>
                  <span className="truncate text-xs text-soft">{text}</span>
                </Command.Item>
              ))}
            </Command.List>
          </Command>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function useSectionIndex() {
  const [index, setIndex] = useState<MiniSearch<DocsSection>>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    fetch('/docs/search.json')
      .then(answer => answer.json() as Promise<DocsSection[]>)
      .then(sections => setIndex(indexOf(sections)))
      .catch(() => setProblem('The search did not load. Check the connection and open it again.'));
  }, []);
  return { index, problem };
}

function indexOf(sections: DocsSection[]): MiniSearch<DocsSection> {
  const index = new MiniSearch<DocsSection>({
    idField: 'href',
    fields: ['title', 'heading', 'text'],
    storeFields: ['title', 'heading', 'text'],
    // names of fields and headers are words, and so are their parts
    tokenize: text => text.split(/[^\p{L}\p{N}_-]+/u).flatMap(word => [word, ...partsOf(word)]),
    searchOptions: {
      boost: { title: 3, heading: 4 },
      prefix: true,
      fuzzy: word => (word.length > 4 ? 0.2 : false),
      combineWith: 'AND',
    },
  });
  index.addAll(sections);
  return index;
}

const partsOf = (word: string): string[] => (/[_-]/.test(word) ? word.split(/[_-]/).filter(Boolean) : []);
