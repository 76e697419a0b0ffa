'use client';

import { useState } from 'react';
import type { Mark, Reach } from '#components/edit/mask';

/** What one has drawn and written to edit a picture, and not sent yet. */
export interface EditDraft {
  way?: string | undefined;
  /** One that takes a mask; without it a recipe is told where by a marked copy. */
  model?: string | undefined;
  marks: readonly Mark[];
  /** Pixels over which the edge of the region is soft. */
  feather: number;
  reach: Reach;
  words: string;
}

const STORE = 'pomona.edits';
/** Of so many pictures the work is kept. */
const MOST = 5;

type Kept = { url: string; draft: EditDraft }[];

/** The draft of a picture, kept in this browser: it outlives the dialog and the page, until it is sent. */
export function useEditDraft(url: string, blank: EditDraft) {
  const [draft, setDraft] = useState(() => ({ ...blank, ...read().find(kept => kept.url === url)?.draft }));
  const others = () => read().filter(kept => kept.url !== url);
  return {
    draft,
    change(part: Partial<EditDraft>) {
      const next = { ...draft, ...part };
      setDraft(next);
      write([{ url, draft: next }, ...others()]);
    },
    forget: () => write(others()),
  };
}

function read(): Kept {
  try {
    return JSON.parse(localStorage.getItem(STORE) ?? '[]') as Kept;
  } catch {
    // storage is switched off, or something else wrote there
    return [];
  }
}

function write(list: Kept) {
  try {
    localStorage.setItem(STORE, JSON.stringify(list.slice(0, MOST)));
  } catch {
    // full or switched off: the dialog itself still has it
  }
}
