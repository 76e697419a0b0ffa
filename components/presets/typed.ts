export const NOTHING_TYPED = { preset: '', style: '', words: '' };

/** What is typed into the parts of the dialog, to be saved: it stays while one looks at another of them. */
export interface Typed {
  typed: typeof NOTHING_TYPED;
  onType: (part: Partial<typeof NOTHING_TYPED>) => void;
}
