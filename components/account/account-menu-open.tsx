'use client';

import type { ReactNode } from 'react';
import { Gem, KeyRound, LogOut, ShieldCheck, UserRound } from 'lucide-react';
import { signOut } from '#components/account/sign-out';
import { DropdownMenuOpen } from '#components/ui/dropdown-menu-open';

export function AccountMenuOpen({
  email,
  operator,
  trigger,
  within,
}: {
  email: string;
  operator: boolean;
  trigger: ReactNode;
  within: HTMLElement;
}) {
  return (
    <DropdownMenuOpen
      align="start"
      trigger={trigger}
      within={within}
      items={[
        { kind: 'heading', label: email },
        { kind: 'link', href: '/account/profile', label: 'Profile', icon: <UserRound aria-hidden /> },
        { kind: 'link', href: '/account/api', label: 'API keys', icon: <KeyRound aria-hidden /> },
        { kind: 'link', href: '/account/gems', label: 'Gems', icon: <Gem aria-hidden /> },
        ...(operator
          ? [{ kind: 'link', href: '/admin', label: 'Operator', icon: <ShieldCheck aria-hidden /> } as const]
          : []),
        { kind: 'line' },
        { label: 'Sign out', icon: <LogOut aria-hidden />, onSelect: () => void signOut() },
      ]}
    />
  );
}
