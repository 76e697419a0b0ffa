'use client';

import { PasskeyButton } from '#components/auth/passkey-button';
import { SignInForm } from '#components/auth/sign-in-form';
import { useLeaveForProvider } from '#components/auth/use-leave-for-provider';
import { Button } from '#components/ui/button';
import { Dialog } from '#components/ui/dialog';
import type { AccountProfileWire } from '#lib/contract/account-schemas';

/** Dialog in which the signed-in user signs in again, in any of the account's ways. */
export function ConfirmOwner({
  profile,
  providers,
  onAnswer,
}: {
  profile: AccountProfileWire;
  providers: readonly { id: string; name: string }[];
  onAnswer: (confirmed: boolean) => void;
}) {
  const has = (id: string) => profile.sign_ins.some(({ provider }) => provider === id);
  const connected = providers.filter(({ id }) => has(id));
  const { leaving, leave } = useLeaveForProvider();
  const done = () => onAnswer(true);
  return (
    <Dialog
      title="Confirm it is you"
      description="You signed in a while ago. Sign in again to continue."
      open
      onOpenChange={() => onAnswer(false)}
    >
      <div className="grid gap-5">
        {has('password') && <SignInForm email={profile.email} done={done} />}
        {has('passkey') && <PasskeyButton tone={has('password') ? 'plain' : 'primary'} done={done} />}
        {connected.map(({ id, name }) => (
          <Button
            key={id}
            size="lg"
            busy={leaving === id}
            disabled={leaving !== undefined}
            onClick={() => void leave(id, location.pathname)}
          >
            Sign in with {name}
          </Button>
        ))}
        {connected.length > 0 && (
          <p className="text-xs text-faint">You return to this page afterwards, and start over.</p>
        )}
      </div>
    </Dialog>
  );
}
