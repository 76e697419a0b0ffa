import { AskMailForm } from '#components/auth/ask-mail-form';
import { AuthPage } from '#components/auth/auth-page';
import { NewPasswordForm } from '#components/auth/new-password-form';
import { nextPath, withNext } from '#components/auth/next-path';
import { TextLink } from '#components/ui/text-link';
import { findSecretLink } from '#lib/accounts/secret-links';
import { findPageAccount } from '#lib/auth/page-account';
import { signInOptions } from '#lib/auth/sign-in-options';

export const metadata = { title: 'New password', referrer: 'no-referrer' };

/** Default page to show after the reset. */
const OWN = '/account/profile';

export default async function ResetPasswordPage({ searchParams }: PageProps<'/reset-password'>) {
  const { token, next } = await searchParams;
  const target = nextPath(next, OWN);
  const wanted = target === OWN ? undefined : target;
  const back = (await findPageAccount()) ? (
    <TextLink href={target}>Continue signed in</TextLink>
  ) : (
    <TextLink href={withNext('/sign-in', wanted)}>Back to sign-in</TextLink>
  );
  const isLink = typeof token === 'string';
  // an expired link is reported before the user thinks of a password
  if (isLink && (await findSecretLink('password_reset', token))) {
    return (
      <AuthPage title="Choose a new password" foot={back}>
        <NewPasswordForm token={token} next={target} />
      </AuthPage>
    );
  }
  const title = isLink ? 'This link no longer works' : 'New password';
  const why = isLink ? 'It was used or has expired. ' : '';
  if (!signInOptions().sendsMail) {
    return (
      <AuthPage
        title={title}
        lead={`${why}This deployment sends no mail. Ask the operator for a link to choose a new password.`}
        foot={back}
      />
    );
  }
  return (
    <AuthPage
      title={title}
      lead={`${why}We mail you a link to choose a new password. It works for an hour.`}
      foot={back}
    >
      <AskMailForm link="new password" next={wanted} />
    </AuthPage>
  );
}
