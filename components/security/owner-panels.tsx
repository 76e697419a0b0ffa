'use client';

import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { OwnerGate } from '#components/security/owner-gate';
import { InPlace } from '#components/ui/on-demand';
import { Loading, QueryView } from '#components/ui/query-view';
import { profileQuery } from '#lib/client/account-queries';
import type { AccountProfileWire } from '#lib/contract/account-schemas';

/** The panels of a tab of one's own account, whose acts ask for a sign-in where the last one was too long ago. */
export function OwnerPanels({
  providers,
  children,
}: {
  /** Those that one can sign in by again. */
  providers: readonly { id: string; name: string }[];
  children: (profile: AccountProfileWire, hasPassword: boolean) => ReactNode;
}) {
  const query = useQuery(profileQuery);
  return (
    <QueryView query={query}>
      {profile => (
        <OwnerGate profile={profile} providers={providers}>
          <InPlace fallback={<Loading />}>
            <div className="grid grid-cols-1 gap-12">
              {children(
                profile,
                profile.sign_ins.some(({ provider }) => provider === 'password'),
              )}
            </div>
          </InPlace>
        </OwnerGate>
      )}
    </QueryView>
  );
}
