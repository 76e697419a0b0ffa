'use client';

import { PasskeyButton } from '#components/auth/passkey-button';
import { SignInForm } from '#components/auth/sign-in-form';

/** Sign-in without a provider: by password or passkey. */
export function SignIn({ next }: { next: string }) {
  // a full page load, so that no state of a previously signed-in account remains
  const done = () => location.assign(next);
  return (
    <>
      <SignInForm next={next} done={done} />
      <PasskeyButton done={done} />
    </>
  );
}
