'use client';

import { signIn } from 'next-auth/react';
import { Button } from '#components/ui/button';
import { Moment } from '#components/ui/moment';
import type { AccountProfileWire } from '#lib/contract/account-schemas';

const NAMES: Record<string, string> = { password: 'E-mail and password', github: 'GitHub', google: 'Google' };

export function SignInWays({
  ways,
  providers,
}: {
  ways: AccountProfileWire['sign_ins'];
  providers: readonly { id: string; name: string }[];
}) {
  const nameOf = (id: string) => NAMES[id] ?? providers.find(provider => provider.id === id)?.name ?? id;
  const others = providers.filter(({ id }) => !ways.some(({ provider }) => provider === id));
  return (
    <div className="grid grid-cols-1 gap-4">
      <ul className="grid">
        {ways.map(({ provider, last_used_at }) => (
          <li
            key={provider}
            className="flex flex-wrap items-baseline justify-between gap-x-6 border-b py-2.5 text-sm first:pt-0"
          >
            <span>{nameOf(provider)}</span>
            <span className="text-faint">
              {last_used_at ? (
                <>
                  Last used <Moment at={last_used_at} />
                </>
              ) : (
                'Not used yet'
              )}
            </span>
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <div className="flex flex-wrap gap-3">
          {others.map(({ id, name }) => (
            <Button key={id} size="sm" onClick={() => void signIn(id, { callbackUrl: '/account/profile' })}>
              Connect {name}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}
