'use client';

import { PasskeyButton } from '#components/auth/passkey-button';
import { SignInForm } from '#components/auth/sign-in-form';

/** The ways in that need no provider. */
export function SignIn({ next }: { next: string }) {
  // a whole new page: nothing of whoever was signed in before stays
  const done = () => location.assign(next);
  return (
    <>
      <SignInForm next={next} done={done} />
      <PasskeyButton done={done} />
    </>
  );
}
