import type { ReactNode } from 'react';
import { SectionNav } from '#components/layout/section-nav';

const PAGES = [
  { href: '/account/profile', label: 'Profile' },
  { href: '/account/security', label: 'Security' },
  { href: '/account/api', label: 'API' },
  { href: '/account/webhooks', label: 'Webhooks' },
  { href: '/account/gems', label: 'Gems' },
  { href: '/account/notices', label: 'Notices' },
];

export default function AccountLayout({ children }: { children: ReactNode }) {
  return (
    <div className="mx-auto grid grid-cols-1 max-w-5xl gap-8">
      <div className="grid grid-cols-1 gap-4">
        <h1 className="font-title text-head">Account</h1>
        <SectionNav label="Account" items={PAGES} />
      </div>
      {children}
    </div>
  );
}
