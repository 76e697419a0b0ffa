'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Fingerprint, KeyRound, LogIn } from 'lucide-react';
import { useLeaveForProvider } from '#components/auth/use-leave-for-provider';
import { ConfirmDialog } from '#components/ui/confirm-dialog';
import { AddPasskey } from '#components/security/add-passkey';
import { useOwnerGate } from '#components/security/owner-gate';
import { Button } from '#components/ui/button';
import { Moment } from '#components/ui/moment';
import { toast } from '#components/ui/toast';
import { studioApi } from '#lib/client/studio-api';
import { profileQuery } from '#lib/client/account-queries';
import { orGone } from '#lib/client/or-gone';
import { requireRecentSignIn } from '#lib/client/recent-sign-in';
import type { AccountProfileWire } from '#lib/contract/account-schemas';

type Way = AccountProfileWire['sign_ins'][number];

const NAMES: Record<string, string> = { password: 'E-mail and password', github: 'GitHub', google: 'Google' };
const ICONS: Record<string, typeof KeyRound> = { password: KeyRound, passkey: Fingerprint };

/** Ways to sign in to the account (password, passkeys, providers), which can be removed and added. */
export function WaysIn({ ways, providers }: { ways: Way[]; providers: readonly { id: string; name: string }[] }) {
  const nameOf = ({ provider, name }: Way) =>
    name ?? NAMES[provider] ?? providers.find(({ id }) => id === provider)?.name ?? provider;
  const others = providers.filter(({ id }) => !ways.some(({ provider }) => provider === id));
  return (
    <div className="grid grid-cols-1 gap-5">
      <ul aria-label="Ways to sign in" className="grid">
        {ways.map(way => (
          <WayIn key={way.id} way={way} name={nameOf(way)} isOnly={ways.length === 1} />
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <AddPasskey />
        {others.map(provider => (
          <Connect key={provider.id} {...provider} />
        ))}
      </div>
    </div>
  );
}

function WayIn({ way: { id, provider, last_used_at }, name, isOnly }: { way: Way; name: string; isOnly: boolean }) {
  const queries = useQueryClient();
  const gate = useOwnerGate();
  const Icon = ICONS[provider] ?? LogIn;
  const remove = async () => {
    await gate(() => orGone(studioApi.removeSignIn({ params: { sign_in_id: id } })));
    await queries.invalidateQueries(profileQuery);
    toast({ title: `${name} removed.` });
  };
  return (
    <li className="flex min-h-16 items-center gap-4 max-[18rem]:flex-wrap border-b py-3 text-sm first:pt-0">
      <Icon className="size-5 shrink-0 text-faint" aria-hidden />
      <div className="grid min-w-0 grow gap-0.5">
        <p className="truncate">{name}</p>
        <p className="text-xs text-faint">
          {provider === 'passkey' && 'Passkey · '}
          {last_used_at ? (
            <>
              last used <Moment at={last_used_at} />
            </>
          ) : (
            'not used yet'
          )}
        </p>
      </div>
      {!isOnly && (
        <ConfirmDialog
          title={`Remove ${name}?`}
          description="It can no longer be used to sign in. You can add it again."
          confirm="Remove"
          trigger={
            <Button size="sm">
              Remove<span className="sr-only"> {name}</span>
            </Button>
          }
          act={remove}
        />
      )}
    </li>
  );
}

function Connect({ id, name }: { id: string; name: string }) {
  const gate = useOwnerGate();
  const { leaving, leave } = useLeaveForProvider();
  const connect = useMutation({
    mutationFn: async () => {
      // checked before leaving for the provider, because its answer is refused without a recent sign-in
      await gate(requireRecentSignIn);
      await leave(id, '/account/security');
    },
    onError: error => toast({ tone: 'bad', title: error.message }),
  });
  return (
    <Button busy={connect.isPending || leaving !== undefined} onClick={() => connect.mutate()}>
      Connect {name}
    </Button>
  );
}
