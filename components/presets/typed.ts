export const NOTHING_TYPED = { preset: '', style: '', words: '' };

/** Unsaved text in the tabs of the dialog, which stays while another tab is shown. */
export interface Typed {
  typed: typeof NOTHING_TYPED;
  onType: (part: Partial<typeof NOTHING_TYPED>) => void;
}
