'use client';

import { useEffect, useMemo, useState } from 'react';
import { useRouter } from 'next/navigation';
import { Command } from 'cmdk';
import MiniSearch from 'minisearch';
import { Palette } from '#components/ui/palette';
import type { DocsSection } from '#lib/docs/sections';

const MOST = 12;

/** Finds sections of pages by words, prefixes of words, and words with a typo. */
export function SearchDialog({ onClose }: { onClose: () => void }) {
  const router = useRouter();
  const [words, setWords] = useState('');
  const { index, problem } = useSectionIndex();
  const found = useMemo(() => (words && index ? index.search(words).slice(0, MOST) : []), [words, index]);
  const go = (href: string) => {
    onClose();
    router.push(href);
  };
  return (
    <Palette
      title="Search the documentation"
      placeholder="A field, an error, a header, a task"
      words={words}
      onWords={setWords}
      nothing={words && index && 'Nothing found. Try a single word.'}
      shouldFilter={false}
      onClose={onClose}
    >
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
    </Palette>
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
    // names of fields and headers are indexed whole and by their parts
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
