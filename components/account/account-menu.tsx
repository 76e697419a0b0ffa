'use client';

import { Gem, KeyRound, LogOut, ShieldCheck, UserRound } from 'lucide-react';
import { Avatar } from '#components/ui/avatar';
import { DropdownMenu } from '#components/ui/dropdown-menu';
import { toast } from '#components/ui/toast';
import { accountApi } from '#lib/client/account-api';

export type SignedIn = { id: string; email: string; name: string | null; operator: boolean };

/** Who is signed in, the ways to their settings, and out. */
export function AccountMenu({ email, name, operator }: Omit<SignedIn, 'id'>) {
  const leave = () =>
    accountApi.signOut().then(
      () => location.assign('/'),
      (error: Error) => toast({ tone: 'bad', title: 'You are still signed in.', description: error.message }),
    );
  return (
    <DropdownMenu
      align="start"
      trigger={
        <button type="button" className="rounded-full focus-visible:rounded-full">
          <span className="sr-only">Account of </span>
          <Avatar name={name ?? email} />
        </button>
      }
      items={[
        { kind: 'heading', label: email },
        { kind: 'link', href: '/account/profile', label: 'Profile', icon: <UserRound aria-hidden /> },
        { kind: 'link', href: '/account/api', label: 'API keys', icon: <KeyRound aria-hidden /> },
        { kind: 'link', href: '/account/gems', label: 'Gems', icon: <Gem aria-hidden /> },
        ...(operator
          ? [{ kind: 'link', href: '/admin', label: 'Operator', icon: <ShieldCheck aria-hidden /> } as const]
          : []),
        { kind: 'line' },
        { label: 'Sign out', icon: <LogOut aria-hidden />, onSelect: () => void leave() },
      ]}
    />
  );
}
