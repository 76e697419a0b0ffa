import type { ReactNode } from 'react';
import { SectionNav } from '#components/layout/section-nav';
import { StudioShell } from '#components/layout/studio-shell';
import { getPageOperator } from '#lib/auth/page-account';
import { MOST_LIVE } from '#lib/client/live-requests';
import { readLiveRequests } from '#lib/generations/history-page';

const PAGES = [
  { href: '/admin/overview', label: 'Overview' },
  { href: '/admin/engines', label: 'Engines' },
  { href: '/admin/accounts', label: 'Accounts' },
  { href: '/admin/invites', label: 'Invitations' },
  { href: '/admin/requests', label: 'Requests' },
  { href: '/admin/architectures', label: 'Architectures' },
  { href: '/admin/limits', label: 'Limits' },
  { href: '/admin/ledger-check', label: 'Ledger check' },
  { href: '/admin/audit', label: 'Audit log' },
];

/** Restricts the pages below to operators. Their data comes from /api/admin, which checks for operators itself. */
export default async function OperatorLayout({ children }: { children: ReactNode }) {
  const { id, email, name, operator, balance } = await getPageOperator();
  return (
    <StudioShell account={{ id, email, name, operator, balance }} live={await readLiveRequests(id, MOST_LIVE)}>
      <div className="mx-auto grid grid-cols-1 max-w-6xl gap-8">
        <div className="grid grid-cols-1 gap-4">
          <h1 className="font-title text-head">Operator</h1>
          <SectionNav label="Operator" items={PAGES} />
        </div>
        {children}
      </div>
    </StudioShell>
  );
}
