import { AuthPage } from '#components/auth/auth-page';
import { VerifyEmail } from '#components/auth/verify-email';
import { TextLink } from '#components/ui/text-link';
import { findSecretLink } from '#lib/accounts/secret-links';
import { getPageAccount } from '#lib/auth/page-account';

export const metadata = { title: 'Your e-mail address', referrer: 'no-referrer' };

const BACK = <TextLink href="/account/profile">Back to your profile</TextLink>;

export default async function VerifyEmailPage({ searchParams }: PageProps<'/verify-email'>) {
  const { token } = await searchParams;
  const given = typeof token === 'string' ? token : '';
  const account = await getPageAccount();
  const link = await findSecretLink('email', given);
  if (!link?.email || link.accountId !== account.id) {
    return (
      <AuthPage
        title="This link does not work here"
        lead={`It was used, has expired, or is not for ${account.email}, the account that is signed in.`}
        foot={BACK}
      />
    );
  }
  const isNew = link.email !== account.email;
  return (
    <AuthPage
      title={isNew ? 'Use this address?' : 'Is this your address?'}
      lead={
        isNew ? (
          <>
            You will sign in with <strong className="wrap-anywhere text-ink">{link.email}</strong>, no longer with{' '}
            <span className="wrap-anywhere">{account.email}</span>.
          </>
        ) : (
          <strong className="wrap-anywhere text-ink">{link.email}</strong>
        )
      }
      foot={BACK}
    >
      <VerifyEmail token={given} />
    </AuthPage>
  );
}
