import { redirect } from 'next/navigation';
import { AskMailForm } from '#components/auth/ask-mail-form';
import { AuthPage } from '#components/auth/auth-page';
import { HOME, nextPath, withNext } from '#components/auth/next-path';
import { ProviderButtons } from '#components/auth/provider-buttons';
import { SignUpForm } from '#components/auth/sign-up-form';
import { GemAmount } from '#components/ui/gem-amount';
import { TextLink } from '#components/ui/text-link';
import { findSecretLink } from '#lib/accounts/secret-links';
import { findPageAccount } from '#lib/auth/page-account';
import { signInOptions } from '#lib/auth/sign-in-options';
import { env } from '#lib/env';

export const metadata = { title: 'Create an account' };

export default async function SignUpPage({ searchParams }: PageProps<'/sign-up'>) {
  const { next, invite } = await searchParams;
  const target = nextPath(next, HOME);
  if (await findPageAccount()) redirect(target);
  const foot = (
    <>
      Have an account? <TextLink href={withNext('/sign-in', target)}>Sign in</TextLink>
    </>
  );
  const { providers, signUp, signUpByMail } = signInOptions();
  const { STARTING_GEMS } = env();
  const token = typeof invite === 'string' ? invite : undefined;
  const invitation = token === undefined ? null : await findSecretLink('invite', token);

  if (token !== undefined && !invitation) {
    return (
      <AuthPage
        title="This invitation no longer works"
        lead="It was used or withdrawn, or it has expired. Ask the operator for another link."
        foot={foot}
      />
    );
  }
  if (!invitation && signUp !== 'open') {
    return signUp === 'invite' ? (
      <AuthPage
        title="Sign-up is by invitation"
        lead="To create an account, ask the operator of this deployment for an invitation link."
        foot={foot}
      />
    ) : (
      <AuthPage title="Sign-up is closed" lead="Ask the operator of this deployment for an account." foot={foot} />
    );
  }
  const byMail = signUpByMail && !invitation;
  return (
    <AuthPage
      title="Create an account"
      lead={
        (STARTING_GEMS > 0 || byMail) && (
          <>
            {STARTING_GEMS > 0 && (
              <>
                It starts with <GemAmount gems={STARTING_GEMS} className="text-ink" /> to spend.{' '}
              </>
            )}
            {byMail && 'We mail you a link to choose a password.'}
          </>
        )
      }
      foot={foot}
    >
      {signUp === 'open' && <ProviderButtons providers={providers} next={target} />}
      {byMail ? (
        <AskMailForm link="new account" next={target} />
      ) : (
        <SignUpForm next={target} invite={token} email={invitation?.email ?? undefined} />
      )}
    </AuthPage>
  );
}
