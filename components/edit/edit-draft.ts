'use client';

import { useState } from 'react';
import { randomKey } from '#client/random-key';
import type { Mark, Reach } from '#components/edit/mask';
import { keep, readKept } from '#components/ui/kept';

/** Marks and text of an edit that has not been sent. */
interface EditDraft {
  way?: string | undefined;
  /** Architecture that takes a mask; without one, a recipe gets a marked copy of the image. */
  model?: string | undefined;
  marks: readonly Mark[];
  /** Blur of the region's edge, in pixels. */
  feather: number;
  reach: Reach;
  words: string;
  /** Idempotency-Key of the draft, set at the first attempt; any change of the draft clears it. */
  key?: string | undefined;
}

const STORE = 'pomona.edits';
/** Maximum number of images whose drafts are stored. */
const MOST = 5;

type Kept = { url: string; draft: EditDraft }[];

/** Draft of the edit of an image, stored in this browser until it is sent. */
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
    /** Returns the key, which is stored before anything is sent, so that resending the draft runs nothing twice. */
    keyOfDraft() {
      const { key = randomKey() } = draft;
      put({ ...draft, key });
      return key;
    },
    /** Clears the key after a refusal, because sending again is then a new attempt. */
    forgetKey(key: string) {
      setDraft(now => (now.key === key ? { ...now, key: undefined } : now));
      write(read().map(kept => (isOf(kept, key) ? { url, draft: { ...kept.draft, key: undefined } } : kept)));
    },
    /** Deletes the draft that was sent under the key, unless it has changed since. */
    forget: (key: string) => write(read().filter(kept => !isOf(kept, key))),
  };
}

const read = () => readKept<Kept>(STORE, []);

const write = (list: Kept) => keep(STORE, list.slice(0, MOST));
