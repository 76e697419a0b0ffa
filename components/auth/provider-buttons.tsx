'use client';

import { useState } from 'react';
import { KeyRound } from 'lucide-react';
import { Button } from '#components/ui/button';
import { withReason } from '#components/ui/on-demand';
import { toast } from '#components/ui/toast';

type Provider = { id: string; name: string };

/** A button for each identity provider that the deployment is configured for. */
export function ProviderButtons({ providers, next }: { providers: readonly Provider[]; next: string }) {
  const [leaving, setLeaving] = useState<string>();
  if (providers.length === 0) return null;
  const go = async (id: string) => {
    setLeaving(id);
    try {
      const { signIn } = await import('next-auth/react').catch(withReason);
      await signIn(id, { callbackUrl: next });
    } catch (error) {
      setLeaving(undefined);
      toast({ tone: 'bad', title: 'The provider did not answer.', description: (error as Error).message });
    }
  };
  return (
    <div className="grid gap-3">
      {providers.map(({ id, name }) => (
        <Button key={id} busy={leaving === id} disabled={leaving !== undefined} onClick={() => void go(id)}>
          {leaving !== id && <Mark id={id} />}
          Continue with {name}
        </Button>
      ))}
      <p className="flex items-center gap-4 text-xs text-faint before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line">
        or
      </p>
    </div>
  );
}

const LETTERS: Record<string, string> = { github: 'GH', google: 'G' };

/** Letters in place of the providers' logos, whose use they restrict. */
function Mark({ id }: { id: string }) {
  const letters = LETTERS[id];
  if (!letters) return <KeyRound className="size-4" aria-hidden />;
  return (
    <span
      aria-hidden
      className="grid size-5 place-items-center rounded-full bg-ink text-[0.625rem] font-semibold text-paper"
    >
      {letters}
    </span>
  );
}
