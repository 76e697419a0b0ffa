'use client';

import { useState } from 'react';
import { REASON } from '#components/ui/on-demand';
import { toast } from '#components/ui/toast';

/** Returns a function that leaves for an identity provider, which leads to `next` afterwards. `leaving` is its id. */
export function useLeaveForProvider() {
  const [leaving, setLeaving] = useState<string>();
  const leave = async (id: string, next: string) => {
    setLeaving(id);
    try {
      const { signIn } = await import('next-auth/react');
      await signIn(id, { callbackUrl: next });
    } catch {
      // neither the code nor this server's answer arrived
      setLeaving(undefined);
      toast({ tone: 'bad', title: 'The sign-in did not start.', description: REASON });
    }
  };
  return { leaving, leave };
}
