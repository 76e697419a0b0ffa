import type { ReactNode } from 'react';
import { StudioShell } from '#components/layout/studio-shell';
import { findPageAccount } from '#lib/auth/page-account';
import { MOST_LIVE } from '#lib/client/live-requests';
import { readLiveRequests } from '#lib/generations/history-page';

export default async function StudioLayout({ children }: { children: ReactNode }) {
  const account = await findPageAccount();
  // each page redirects signed-out users to the sign-in page, which returns them to that page
  if (!account) return children;
  const { id, email, name, operator, balance } = account;
  return (
    <StudioShell account={{ id, email, name, operator, balance }} live={await readLiveRequests(id, MOST_LIVE)}>
      {children}
    </StudioShell>
  );
}
