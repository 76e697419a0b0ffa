import { redirect } from 'next/navigation';
import { AuthPage } from '#components/auth/auth-page';
import { nextPath } from '#components/auth/next-path';
import { ProviderButtons } from '#components/auth/provider-buttons';
import { SignInForm } from '#components/auth/sign-in-form';
import { Alert } from '#components/ui/alert';
import { TextLink } from '#components/ui/text-link';
import { findPageAccount } from '#lib/auth/page-account';
import { signInProviders } from '#lib/auth/providers';
import { env } from '#lib/env';

export const metadata = { title: 'Sign in' };

const HOME = '/account/api';

export default async function SignInPage({ searchParams }: PageProps<'/sign-in'>) {
  const { next, message, error } = await searchParams;
  const target = nextPath(next, HOME);
  if (await findPageAccount()) redirect(target);
  return (
    <AuthPage title="Sign in" foot={<OtherWay next={target} />}>
      {(message ?? error) && (
        <Alert tone="bad" title="That did not sign you in.">
          {typeof message === 'string' ? message : 'The provider refused, or took too long. Try again.'}
        </Alert>
      )}
      <ProviderButtons providers={signInProviders()} next={target} />
      <SignInForm next={target} />
    </AuthPage>
  );
}

function OtherWay({ next }: { next: string }) {
  if (env().SIGN_UP === 'open') {
    return (
      <>
        No account yet?{' '}
        <TextLink href={next === HOME ? '/sign-up' : `/sign-up?next=${encodeURIComponent(next)}`}>Create one</TextLink>
      </>
    );
  }
  if (env().SIGN_UP === 'invite') return <>No account yet? Accounts are by invitation: ask the operator for a link.</>;
  return <>No account yet? This deployment takes no new ones.</>;
}
