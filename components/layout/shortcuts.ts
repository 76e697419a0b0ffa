export interface Shortcut {
  /** Keys to press together; `Mod` is Cmd on a Mac and Ctrl elsewhere. Several in a row are pressed one after another. */
  keys: readonly string[];
  does: string;
}

/** Pages by the letter that follows G. */
export const PAGES = [
  { letter: 'c', href: '/create', name: 'Create' },
  { letter: 'h', href: '/history', name: 'History' },
  { letter: 'l', href: '/collections', name: 'Collections' },
  { letter: 'k', href: '/characters', name: 'Characters' },
  { letter: 'r', href: '/references', name: 'References' },
  { letter: 'u', href: '/uploads', name: 'Uploads' },
  { letter: 'a', href: '/account', name: 'Account' },
  { letter: 'd', href: '/docs', name: 'API reference' },
] as const;

/** What the help sheet shows. */
export const SHORTCUTS: readonly { title: string; shortcuts: readonly Shortcut[] }[] = [
  {
    title: 'Everywhere',
    shortcuts: [
      { keys: ['Mod K'], does: 'Find a page, a model, a character, an act' },
      { keys: ['?'], does: 'This sheet' },
      { keys: ['Esc'], does: 'Close what is on top' },
      { keys: ['F8'], does: 'Go to the newest message' },
    ],
  },
  { title: 'Go to', shortcuts: PAGES.map(({ letter, name }) => ({ keys: ['G', letter.toUpperCase()], does: name })) },
  {
    title: 'Create',
    shortcuts: [
      { keys: ['Mod Enter'], does: 'Create, as the button does' },
      { keys: ['↑'], does: 'In an empty prompt: the one before' },
      { keys: ['@'], does: 'Mention a character or a reference' },
      { keys: ['Mod V'], does: 'Paste a picture into the field with the focus' },
    ],
  },
  {
    title: 'History',
    shortcuts: [
      { keys: ['←', '→'], does: 'From one to the next, also in the viewer' },
      { keys: ['X'], does: 'Choose, with Shift all between' },
      { keys: ['F'], does: 'Favourite' },
      { keys: ['Delete'], does: 'Remove' },
      { keys: ['+', '−', '0'], does: 'Nearer, farther, whole' },
    ],
  },
];
