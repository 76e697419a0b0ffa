import { redirect } from 'next/navigation';
import { AuthPage } from '#components/auth/auth-page';
import { HOME, nextPath, withNext } from '#components/auth/next-path';
import { ProviderButtons } from '#components/auth/provider-buttons';
import { SignIn } from '#components/auth/sign-in';
import { Alert } from '#components/ui/alert';
import { TextLink } from '#components/ui/text-link';
import { findPageAccount, findWayBack } from '#lib/auth/page-account';
import { signInOptions } from '#lib/auth/sign-in-options';
import { SIGN_IN_REFUSALS, type SignInRefusal } from '#lib/contract/sign-in-refusals';

export const metadata = { title: 'Sign in' };

const AGAIN: SignInRefusal = 'sign_in_again';

export default async function SignInPage({ searchParams }: PageProps<'/sign-in'>) {
  const { next, error } = await searchParams;
  const wayBack = error === undefined ? undefined : await findWayBack();
  const target = nextPath(next ?? wayBack, HOME);
  const isSignedIn = (await findPageAccount()) !== null;
  if (isSignedIn && error === undefined) redirect(target);
  // for example, a provider that could not be connected; a user who was asked to sign in again may do so here
  if (isSignedIn && error !== AGAIN) return <StillSignedIn error={error} target={target} />;
  const { providers, signUp } = signInOptions();
  return (
    <AuthPage title="Sign in" lead={whatFor(target)} foot={<OtherWay signUp={signUp} next={target} />}>
      {error !== undefined && (
        <Alert tone="bad" title="You could not be signed in.">
          {refusalText(error)}
        </Alert>
      )}
      <ProviderButtons providers={providers} next={target} />
      <SignIn next={target} />
    </AuthPage>
  );
}

const StillSignedIn = ({ error, target }: { error: string | string[] | undefined; target: string }) => (
  <AuthPage title="You are still signed in" foot={<TextLink href={target}>Go back</TextLink>}>
    <Alert tone="bad" title="The provider could not be connected.">
      {refusalText(error)}
    </Alert>
  </AuthPage>
);

/** Explains why to sign in, when the target page concerns one particular account. */
function whatFor(target: string): string | undefined {
  if (target.startsWith('/verify-email?'))
    return 'Sign in to the account that the address is for. A new address works only once it is confirmed.';
  if (target.startsWith('/oauth/')) return 'An app wants access. Sign in to choose what it may do.';
  return undefined;
}

/** Reasons are looked up by name, so that a link cannot put its own text on the page. */
const refusalText = (error: string | string[] | undefined): string =>
  Object.entries(SIGN_IN_REFUSALS).find(([name]) => name === error)?.[1] ??
  'The provider refused or took too long. Try again.';

function OtherWay({ signUp, next }: { signUp: ReturnType<typeof signInOptions>['signUp']; next: string }) {
  if (signUp === 'open') {
    return (
      <>
        No account yet? <TextLink href={withNext('/sign-up', next)}>Create one</TextLink>
      </>
    );
  }
  if (signUp === 'invite') return <>No account yet? Sign-up is by invitation: ask the operator for a link.</>;
  return <>No account yet? Sign-up is closed.</>;
}
