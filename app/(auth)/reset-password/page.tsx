import { AskMailForm } from '#components/auth/ask-mail-form';
import { AuthPage } from '#components/auth/auth-page';
import { NewPasswordForm } from '#components/auth/new-password-form';
import { TextLink } from '#components/ui/text-link';
import { signInOptions } from '#lib/auth/sign-in-options';

export const metadata = { title: 'New password', referrer: 'no-referrer' };

const BACK = <TextLink href="/sign-in">Back to sign-in</TextLink>;

export default async function ResetPasswordPage({ searchParams }: PageProps<'/reset-password'>) {
  const { token } = await searchParams;
  if (typeof token === 'string') {
    return (
      <AuthPage title="Choose a new password" foot={BACK}>
        <NewPasswordForm token={token} next="/account/profile" />
      </AuthPage>
    );
  }
  if (!signInOptions().sendsMail) {
    return (
      <AuthPage
        title="New password"
        lead="This deployment sends no mail. Ask the operator for a link with which you choose a new password."
        foot={BACK}
      />
    );
  }
  return (
    <AuthPage
      title="New password"
      lead="We mail you a link with which you choose a new one. It works for an hour."
      foot={BACK}
    >
      <AskMailForm link="new password" />
    </AuthPage>
  );
}
