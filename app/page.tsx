import Link from 'next/link';
import { CatalogList } from '#components/architectures/catalog-list';
import { FirstRequest } from '#components/home/first-request';
import { Orchard } from '#components/architectures/orchard';
import { SiteHeader } from '#components/layout/site-header';
import { Button } from '#components/ui/button';
import { EmptyState } from '#components/ui/empty-state';
import { GemGlyph } from '#components/ui/gem-amount';
import { TextLink } from '#components/ui/text-link';
import { catalog } from '#lib/catalog/catalog';
import { toCatalogEntry } from '#lib/catalog/to-entry';
import { findPageAccount } from '#lib/auth/page-account';
import { signInOptions } from '#lib/auth/sign-in-options';
import { env } from '#lib/env';

const OPENAPI = '/v1/openapi.json';

export const metadata = { title: { absolute: 'Pomona: pictures, film and sound, grown to order' } };

export const dynamic = 'force-dynamic';

export default async function StartPage() {
  const account = await findPageAccount();
  const { BASE_URL } = env();
  const architectures = catalog()
    .list()
    .map(architecture => toCatalogEntry(architecture, BASE_URL));
  const example = architectures.find(({ type }) => type === 'image') ?? architectures[0];
  return (
    <>
      <SiteHeader>
        <Button asChild tone="ghost" className="max-sm:hidden">
          <Link href="/docs">API reference</Link>
        </Button>
        <Doors signedIn={account !== null} />
      </SiteHeader>
      <main id="content" tabIndex={-1} className="gutter mx-auto max-w-[88rem] outline-none">
        <Hero ids={architectures.map(({ id }) => id)} />
        {example && (
          <section aria-labelledby="first-request" className="grid gap-8 pt-20 md:pt-28">
            <h2 id="first-request" className="font-title text-head">
              Three commands, one file
            </h2>
            <FirstRequest baseUrl={BASE_URL} id={example.id} file={FILES[example.type]} />
          </section>
        )}
        <section aria-labelledby="catalog" className="grid gap-10 pt-16 md:pt-24">
          <header className="grid gap-3">
            <h2 id="catalog" className="font-title text-head">
              What grows here
            </h2>
            <p className="max-w-prose text-soft">
              The price is for the default settings, in gems <GemGlyph className="align-[-0.1em]" />. It follows the
              settings you choose, and you can ask for it before you send.
            </p>
          </header>
          {architectures.length > 0 ? (
            <CatalogList architectures={architectures} />
          ) : (
            <EmptyState title="Nothing is planted yet">
              Put a JSON file for each model into <code>architectures/</code> of the catalog folder. It shows here at
              once.
            </EmptyState>
          )}
        </section>
      </main>
      <footer className="gutter mx-auto mt-24 flex max-w-[88rem] flex-wrap justify-between gap-x-8 gap-y-3 py-10 text-sm text-soft">
        <p>
          Pomona kept the orchards of Rome. This one is at <span className="text-ink">{new URL(BASE_URL).host}</span>.
        </p>
        <TextLink href={OPENAPI}>OpenAPI description</TextLink>
      </footer>
    </>
  );
}

const FILES = { image: 'lighthouse.png', video: 'lighthouse.mp4', audio: 'lighthouse.mp3' };

function Doors({ signedIn }: { signedIn: boolean }) {
  if (signedIn) {
    return (
      <Button asChild tone="primary">
        <Link href="/create">Create</Link>
      </Button>
    );
  }
  return (
    <>
      <Button asChild tone="ghost">
        <Link href="/sign-in">Sign in</Link>
      </Button>
      {signInOptions().signUp === 'open' && (
        <Button asChild tone="primary">
          <Link href="/sign-up">Create account</Link>
        </Button>
      )}
    </>
  );
}

function Hero({ ids }: { ids: string[] }) {
  return (
    <section className="grid items-center gap-10 pt-6 lg:grid-cols-[minmax(0,1.06fr)_minmax(0,1fr)] lg:gap-14 lg:pt-2">
      <div className="grid justify-items-start gap-7">
        <h1 className="font-title text-display">Pictures, film and sound, grown to order.</h1>
        <p className="max-w-[34rem] text-lg text-soft">
          Pomona runs image, video and audio models behind one HTTP API. Send a prompt, watch it grow, pick the file.
          You know the price before you send, and what fails is paid back.
        </p>
        <div className="flex flex-wrap gap-3">
          <Button asChild tone="primary" size="lg">
            <a href="#first-request">Make a first request</a>
          </Button>
          <Button asChild size="lg">
            <a href="#catalog">See the {ids.length} models</a>
          </Button>
        </div>
      </div>
      <Orchard
        ids={ids}
        label="A fruit tree trained along wires in front of a persimmon sun. One fruit or blossom hangs on it for each model."
        className="mx-auto w-full max-w-[34rem] lg:max-h-[calc(100dvh-7rem)] lg:max-w-[46rem]"
      />
    </section>
  );
}
