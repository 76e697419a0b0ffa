/** Pages with the letter that opens them after G. */
export const PAGES = [
  { letter: 'c', href: '/create', name: 'Create' },
  { letter: 'e', href: '/recipes', name: 'Recipes' },
  { letter: 'h', href: '/history', name: 'History' },
  { letter: 'l', href: '/collections', name: 'Collections' },
  { letter: 'k', href: '/characters', name: 'Characters' },
  { letter: 'r', href: '/references', name: 'References' },
  { letter: 'u', href: '/uploads', name: 'Uploads' },
  { letter: 'a', href: '/account', name: 'Account' },
  { letter: 'd', href: '/docs', name: 'API reference' },
] as const;
