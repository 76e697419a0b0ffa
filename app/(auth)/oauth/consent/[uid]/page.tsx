import { headers } from 'next/headers';
import { AuthPage } from '#components/auth/auth-page';
import { ConsentForm } from '#components/connect/consent-form';
import { ConsentOver } from '#components/connect/consent-over';
import { getPageAccount } from '#lib/auth/page-account';
import { AppError } from '#lib/errors';
import { getQuestion } from '#lib/oauth/consent';

export const metadata = { title: 'Connect an app' };

export default async function ConsentPage({ params }: PageProps<'/oauth/consent/[uid]'>) {
  const { uid } = await params;
  const { id, email, balance } = await getPageAccount();
  const question = await getQuestion(uid, (await headers()).get('cookie')).catch((error: unknown) => {
    if (error instanceof AppError) return null;
    throw error;
  });
  if (!question) return <ConsentOver reason="over" />;
  return (
    <AuthPage
      title={`Let “${question.name}” use your gems?`}
      lead={
        <>
          An app that calls itself <strong className="font-medium wrap-anywhere text-ink">{question.name}</strong> wants
          to act for <strong className="font-medium wrap-anywhere text-ink">{email}</strong>.
        </>
      }
      foot="You can see what it spends, or disconnect it, in Account → API."
    >
      <ConsentForm uid={uid} account={id} question={question} balance={balance} />
    </AuthPage>
  );
}
