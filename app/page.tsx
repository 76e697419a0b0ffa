import Link from 'next/link';
import { CatalogList } from '#components/architectures/catalog-list';
import { Orchard } from '#components/architectures/orchard';
import { FirstRequest } from '#components/home/first-request';
import { Wall } from '#components/home/wall';
import { SiteHeader } from '#components/layout/site-header';
import { Button } from '#components/ui/button';
import { EmptyState } from '#components/ui/empty-state';
import { GemGlyph } from '#components/ui/gem-amount';
import { TextLink } from '#components/ui/text-link';
import { findPageAccount } from '#lib/auth/page-account';
import { signInOptions } from '#lib/auth/sign-in-options';
import { catalogResponse } from '#lib/catalog/catalog-response';
import type { ExampleWire } from '#lib/contract/library-schemas';
import { env } from '#lib/env';
import { listExamples } from '#lib/generations/examples';
import { examplesToWire } from '#lib/library/to-wire';

export const metadata = { title: { absolute: 'Pomona: images, video and audio, grown to order' } };

export const dynamic = 'force-dynamic';

export default async function StartPage() {
  const signedIn = (await findPageAccount()) !== null;
  const { BASE_URL } = env();
  const { architectures } = catalogResponse().body;
  const { data: examples } = examplesToWire(await listExamples());
  const example = architectures.find(({ type }) => type === 'image') ?? architectures[0];
  return (
    <>
      <SiteHeader>
        <Button asChild tone="ghost" className="max-sm:hidden">
          <Link href="/docs" prefetch={false}>
            Docs
          </Link>
        </Button>
        <Button asChild tone={signedIn ? 'primary' : 'ghost'}>
          {signedIn ? (
            <Link href="/create" prefetch={false}>
              Create
            </Link>
          ) : (
            <Link href="/sign-in" prefetch={false}>
              Sign in
            </Link>
          )}
        </Button>
      </SiteHeader>
      <main id="content" tabIndex={-1} className="gutter mx-auto max-w-[88rem] outline-none">
        <Hero
          signedIn={signedIn}
          names={new Map(architectures.map(({ id, name }) => [id, name]))}
          examples={examples}
        />
        {example && (
          <section aria-labelledby="first-request" className="below-fold grid gap-8 pt-20 md:pt-28">
            <header className="grid gap-3">
              <h2 id="first-request" className="font-title text-head">
                Three commands, one file
              </h2>
              <p className="max-w-prose text-soft">
                The same in <TextLink href="/docs/first-request">five languages</TextLink>, with{' '}
                <TextLink href="/docs/client">a client</TextLink> that retries without paying twice, and{' '}
                <TextLink href="/docs">the documentation</TextLink> of all of it.
              </p>
            </header>
            <FirstRequest baseUrl={BASE_URL} id={example.id} file={FILES[example.type]} />
          </section>
        )}
        <section aria-labelledby="catalog" className="below-fold grid gap-10 pt-16 md:pt-24">
          <header className="grid items-end gap-x-12 gap-y-8 md:grid-cols-[minmax(0,1fr)_minmax(0,20rem)]">
            <div className="grid gap-3">
              <h2 id="catalog" className="font-title text-head">
                What grows here
              </h2>
              <p className="max-w-prose text-soft">
                The price is for the default settings, in gems <GemGlyph className="align-[-0.1em]" />. It follows the
                settings you choose, and you can ask for it before you send.
              </p>
            </div>
            <Orchard
              ids={architectures.map(({ id }) => id)}
              label="A fruit tree trained along wires in front of a persimmon sun. One fruit or blossom hangs on it for each model."
              className="mx-auto w-full max-w-[24rem]"
            />
          </header>
          {architectures.length > 0 ? (
            <CatalogList architectures={architectures} examples={examples} />
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
        <TextLink href="/docs">Documentation</TextLink>
      </footer>
    </>
  );
}

const FILES = { image: 'lighthouse.png', video: 'lighthouse.mp4', audio: 'lighthouse.mp3' };

function Hero({
  signedIn,
  names,
  examples,
}: {
  signedIn: boolean;
  names: ReadonlyMap<string, string>;
  examples: readonly ExampleWire[];
}) {
  const isOpen = signInOptions().signUp === 'open';
  return (
    <section className="grid items-center gap-10 pt-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.28fr)] lg:gap-14 lg:pt-2">
      <div className="grid justify-items-start gap-7">
        <h1 className="font-title text-display">Images, video and audio, grown to order.</h1>
        <p className="max-w-[34rem] text-lg text-soft">
          Say what you want to see or hear, and watch it grow. You know the price before, and what fails is paid back. A
          studio for people, an HTTP API for programs.
        </p>
        <div className="flex flex-wrap gap-3">
          <Button asChild tone="primary" size="lg">
            {signedIn || !isOpen ? (
              <Link href="/create" prefetch={false}>
                Start creating
              </Link>
            ) : (
              <Link href="/sign-up" prefetch={false}>
                Create account
              </Link>
            )}
          </Button>
          <Button asChild size="lg">
            <a href="#first-request">Use the API</a>
          </Button>
        </div>
      </div>
      <div className="grid gap-3">
        <Wall names={names} examples={examples} />
        {examples.length === 0 && (
          <p className="text-xs text-soft">
            Drawn by the preview engine, which needs no model. Connect engines, and these prompts become what they make.
          </p>
        )}
      </div>
    </section>
  );
}
