'use client';

import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { ask } from '#components/library/ask';
import { changeDraft } from '#components/studio/drafts';
import { QueryView } from '#components/ui/query-view';
import { SearchInput } from '#components/ui/search-input';
import { useSettled } from '#components/ui/use-settled';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import { hasWords } from '#lib/client/has-words';
import { promptsQuery } from '#lib/client/prompt-queries';

/** Past prompts, each listed once: they can be searched, and a press puts one into the form. */
export function PromptsPanel({ entry }: { entry: CatalogEntry }) {
  const [words, setWords] = useState('');
  const q = useSettled(words.trim());
  const query = useQuery(promptsQuery(q));
  // until then the results are those of the previous words
  const isCurrent = q === words.trim() && !query.isPlaceholderData;
  const use = (prompt: string) => {
    changeDraft(entry, now => ({ ...now, prompt }));
    ask(null);
  };
  return (
    <div className="grid gap-3">
      <SearchInput
        aria-label="Search past prompts"
        placeholder="Search"
        value={words}
        onChange={event => setWords(event.target.value)}
      />
      <QueryView query={query}>
        {found => {
          const prompts = isCurrent ? found : found.filter(prompt => hasWords(prompt, words.trim()));
          return prompts.length === 0 ? (
            <p className="py-8 text-center text-sm text-soft">
              {!isCurrent ? 'Searching' : q ? 'No prompt has these words.' : 'Prompts you have used appear here.'}
            </p>
          ) : (
            <ul className="-mx-2 grid grid-cols-1 gap-0.5">
              {prompts.map(prompt => (
                <li key={prompt}>
                  <button
                    type="button"
                    dir="auto"
                    onClick={() => use(prompt)}
                    className="w-full rounded-md px-2 py-2.5 text-left text-sm hover:bg-ink/6"
                  >
                    <span className="line-clamp-3">{prompt}</span>
                  </button>
                </li>
              ))}
            </ul>
          );
        }}
      </QueryView>
    </div>
  );
}
