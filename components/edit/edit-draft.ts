'use client';

import { useState } from 'react';
import { randomKey } from '#client/random-key';
import type { Mark, Reach } from '#components/edit/mask';
import { keep, readKept } from '#components/ui/kept';

/** What one has drawn and written to edit a picture, and not sent yet. */
interface EditDraft {
  way?: string | undefined;
  /** One that takes a mask; without it a recipe is told where by a marked copy. */
  model?: string | undefined;
  marks: readonly Mark[];
  /** Pixels over which the edge of the region is soft. */
  feather: number;
  reach: Reach;
  words: string;
  /** The Idempotency-Key that it is sent under, from its first try on; another draft has another. */
  key?: string | undefined;
}

const STORE = 'pomona.edits';
/** Of so many pictures the work is kept. */
const MOST = 5;

type Kept = { url: string; draft: EditDraft }[];

/** The draft of a picture, kept in this browser: it outlives the dialog and the page, until it is sent. */
export function useEditDraft(url: string, blank: EditDraft) {
  const [draft, setDraft] = useState(() => ({ ...blank, ...read().find(kept => kept.url === url)?.draft }));
  const others = () => read().filter(kept => kept.url !== url);
  const isOf = (kept: Kept[number], key: string) => kept.url === url && kept.draft.key === key;
  const put = (next: EditDraft) => {
    setDraft(next);
    write([{ url, draft: next }, ...others()]);
  };
  return {
    draft,
    change: (part: Partial<EditDraft>) => put({ ...draft, key: undefined, ...part }),
    /** Minted before the first byte leaves, and kept with the draft: what is sent again as it is starts nothing twice. */
    keyOfDraft() {
      const { key = randomKey() } = draft;
      put({ ...draft, key });
      return key;
    },
    /** What was refused is another attempt when it is sent again. */
    forgetKey(key: string) {
      setDraft(now => (now.key === key ? { ...now, key: undefined } : now));
      write(read().map(kept => (isOf(kept, key) ? { url, draft: { ...kept.draft, key: undefined } } : kept)));
    },
    /** What was sent is no draft any more; what was drawn since then is one. */
    forget: (key: string) => write(read().filter(kept => !isOf(kept, key))),
  };
}

const read = () => readKept<Kept>(STORE, []);

const write = (list: Kept) => keep(STORE, list.slice(0, MOST));
