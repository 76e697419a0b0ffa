import { SectionNav } from '#components/layout/section-nav';

const PAGES = {
  'Cast and files': [
    { href: '/characters', label: 'Characters' },
    { href: '/references', label: 'References' },
    { href: '/uploads', label: 'Uploads' },
  ],
  Library: [
    { href: '/history', label: 'History' },
    { href: '/collections', label: 'Collections' },
  ],
};

export type Pages = keyof typeof PAGES;

/** Links between neighbouring pages on phones; wider screens have them in the rail. */
export const PhoneNav = ({ pages }: { pages: Pages }) => (
  <div className="-mt-4 md:hidden">
    <SectionNav label={pages} items={PAGES[pages]} />
  </div>
);
