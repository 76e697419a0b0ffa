'use client';

import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { OwnerGate } from '#components/security/owner-gate';
import { InPlace } from '#components/ui/on-demand';
import { Loading, QueryView } from '#components/ui/query-view';
import { profileQuery } from '#lib/client/account-queries';
import type { AccountProfileWire } from '#lib/contract/account-schemas';

/** Panels of an account tab, whose actions ask for a new sign-in when the last one was too long ago. */
export function OwnerPanels({
  providers,
  children,
}: {
  /** Providers with which the user can sign in again. */
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
