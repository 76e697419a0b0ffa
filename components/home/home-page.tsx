import Link from 'next/link';
import { CatalogList } from '#components/architectures/catalog-list';
import { Orchard } from '#components/architectures/orchard';
import { FirstRequest } from '#components/home/first-request';
import { Hero } from '#components/home/hero';
import { SiteHeader } from '#components/layout/site-header';
import { Button } from '#components/ui/button';
import { EmptyState } from '#components/ui/empty-state';
import { GemGlyph } from '#components/ui/gem-amount';
import { TextLink } from '#components/ui/text-link';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import type { ExampleWire } from '#lib/contract/library-schemas';

interface Props {
  signedIn: boolean;
  /** Whether anyone may open an account. */
  isOpen: boolean;
  baseUrl: string;
  architectures: readonly CatalogEntry[];
  examples: readonly ExampleWire[];
}

/** Public home page of the deployment. */
export function HomePage({ signedIn, isOpen, baseUrl, architectures, examples }: Props) {
  return (
    <>
      <Head signedIn={signedIn} />
      <main id="content" tabIndex={-1} className="gutter mx-auto max-w-[88rem] outline-none">
        <Hero canSignUp={isOpen && !signedIn} architectures={architectures} examples={examples} />
        <ForPrograms baseUrl={baseUrl} architectures={architectures} />
        <Catalog architectures={architectures} examples={examples} />
      </main>
      <footer className="gutter mx-auto mt-24 flex max-w-[88rem] flex-wrap justify-between gap-x-8 gap-y-3 py-10 text-sm text-soft">
        <p>
          Pomona kept the orchards of Rome. This one is at <span className="text-ink">{new URL(baseUrl).host}</span>.
        </p>
        <TextLink href="/docs">Documentation</TextLink>
      </footer>
    </>
  );
}

const Head = ({ signedIn }: Pick<Props, 'signedIn'>) => (
  <SiteHeader>
    <Button asChild tone="ghost" className="max-sm:hidden">
      <Link href="/docs" prefetch={false}>
        Docs
      </Link>
    </Button>
    <Button asChild tone={signedIn ? 'primary' : 'ghost'}>
      <Link href={signedIn ? '/create' : '/sign-in'} prefetch={false}>
        {signedIn ? 'Create' : 'Sign in'}
      </Link>
    </Button>
  </SiteHeader>
);

const FILES = { image: 'lighthouse.png', video: 'lighthouse.mp4', audio: 'lighthouse.mp3' };

function ForPrograms({ baseUrl, architectures }: Pick<Props, 'baseUrl' | 'architectures'>) {
  const example = architectures.find(({ type }) => type === 'image') ?? architectures[0];
  if (!example) return null;
  return (
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
      <FirstRequest baseUrl={baseUrl} id={example.id} file={FILES[example.type]} />
    </section>
  );
}

const Catalog = ({ architectures, examples }: Pick<Props, 'architectures' | 'examples'>) => (
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
      <EmptyState title="There are no models yet">
        Put a JSON file for each model into <code>architectures/</code> of the catalog folder. It appears here at once.
      </EmptyState>
    )}
  </section>
);
