import { HomePage } from '#components/home/home-page';
import { findPageAccount } from '#lib/auth/page-account';
import { signInOptions } from '#lib/auth/sign-in-options';
import { catalogResponse } from '#lib/catalog/catalog-response';
import { env } from '#lib/env';
import { listExamples } from '#lib/generations/examples';
import { examplesToWire } from '#lib/library/to-wire';

export const metadata = { title: { absolute: 'Pomona: images, video and audio, grown to order' } };

export const dynamic = 'force-dynamic';

export default async function Page() {
  return (
    <HomePage
      signedIn={(await findPageAccount()) !== null}
      isOpen={signInOptions().signUp === 'open'}
      baseUrl={env().BASE_URL}
      architectures={catalogResponse().body.architectures}
      examples={examplesToWire(await listExamples()).data}
    />
  );
}
