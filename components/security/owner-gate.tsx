'use client';

import { createContext, use, useState, type ReactNode } from 'react';
import { ApiError } from '#client/errors';
import { onDemand, Opening } from '#components/ui/on-demand';
import type { AccountProfileWire } from '#lib/contract/account-schemas';

const ConfirmOwner = onDemand(async () => (await import('#components/security/confirm-owner')).ConfirmOwner);

type Act = <T>(act: () => Promise<T>) => Promise<T>;

const Gate = createContext<Act>(act => act());

/** Returns a function that runs an action, and again after a new sign-in if the server requires a recent one. */
export const useOwnerGate = (): Act => use(Gate);

interface Asked {
  /** Called with true once the owner has signed in again, and with false when they decline. */
  answer: (confirmed: boolean) => void;
}

export function OwnerGate({
  profile,
  providers,
  children,
}: {
  profile: AccountProfileWire;
  providers: readonly { id: string; name: string }[];
  children: ReactNode;
}) {
  const [asked, setAsked] = useState<Asked | null>(null);

  const act: Act = async act => {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'sign_in_again') throw error;
      const confirmed = await new Promise<boolean>(answer => setAsked({ answer }));
      setAsked(null);
      if (!confirmed) throw error;
      return await act();
    }
  };

  return (
    <Gate value={act}>
      {children}
      {asked && (
        <Opening onClose={() => asked.answer(false)}>
          <ConfirmOwner profile={profile} providers={providers} onAnswer={asked.answer} />
        </Opening>
      )}
    </Gate>
  );
}
