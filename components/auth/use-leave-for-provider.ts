'use client';

import { useState } from 'react';
import { withReason } from '#components/ui/on-demand';
import { toast } from '#components/ui/toast';

/** Returns a function that leaves for an identity provider, which leads to `next` afterwards. `leaving` is its id. */
export function useLeaveForProvider() {
  const [leaving, setLeaving] = useState<string>();
  const leave = async (id: string, next: string) => {
    setLeaving(id);
    try {
      const { signIn } = await import('next-auth/react').catch(withReason);
      await signIn(id, { callbackUrl: next });
    } catch (error) {
      setLeaving(undefined);
      toast({ tone: 'bad', title: 'The provider did not answer.', description: (error as Error).message });
    }
  };
  return { leaving, leave };
}
