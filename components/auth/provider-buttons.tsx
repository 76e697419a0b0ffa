'use client';

import { KeyRound } from 'lucide-react';
import { useLeaveForProvider } from '#components/auth/use-leave-for-provider';
import { Button } from '#components/ui/button';

type Provider = { id: string; name: string };

/** A button for each identity provider that the deployment is configured for. */
export function ProviderButtons({ providers, next }: { providers: readonly Provider[]; next: string }) {
  const { leaving, leave } = useLeaveForProvider();
  if (providers.length === 0) return null;
  return (
    <div className="grid gap-3">
      {providers.map(({ id, name }) => (
        <Button key={id} busy={leaving === id} disabled={leaving !== undefined} onClick={() => void leave(id, next)}>
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
