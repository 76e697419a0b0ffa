'use client';

import { Avatar } from '#components/ui/avatar';
import { ClosedMenu } from '#components/ui/dropdown-menu';
import { onDemand } from '#components/ui/on-demand';

const Open = onDemand(async () => (await import('#components/account/account-menu-open')).AccountMenuOpen);

export type SignedIn = { id: string; email: string; name: string | null; operator: boolean };

/** Menu of the signed-in account: settings and sign-out. */
export function AccountMenu({ email, name, operator }: Omit<SignedIn, 'id'>) {
  const trigger = (
    <button type="button" className="-m-1 rounded-full p-1 focus-visible:rounded-full">
      <span className="sr-only">Account of </span>
      <Avatar name={name ?? email} />
    </button>
  );
  return (
    <ClosedMenu trigger={trigger} near={Open.near}>
      {within => <Open email={email} operator={operator} trigger={trigger} within={within} />}
    </ClosedMenu>
  );
}
