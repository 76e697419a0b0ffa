import Link from 'next/link';
import { Wall } from '#components/home/wall';
import { Button } from '#components/ui/button';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import type { ExampleWire } from '#lib/contract/library-schemas';

interface Props {
  /** Whether the visitor is signed out and may open an account. */
  canSignUp: boolean;
  architectures: readonly CatalogEntry[];
  examples: readonly ExampleWire[];
}

/** Introduction of the home page, with the primary links and example results. */
export function Hero({ canSignUp, architectures, examples }: Props) {
  return (
    <section className="grid items-center gap-10 pt-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.28fr)] lg:gap-14 lg:pt-2">
      <div className="grid justify-items-start gap-7">
        <h1 className="font-title text-display">Images, video and audio, grown to order.</h1>
        <p className="max-w-[34rem] text-lg text-soft">
          Say what you want to see or hear, and watch it grow. You know the price first, and failed generations are
          refunded. A studio for people, an HTTP API for programs.
        </p>
        <div className="flex flex-wrap gap-3">
          <Button asChild tone="primary" size="lg">
            {canSignUp ? (
              <Link href="/sign-up" prefetch={false}>
                Create account
              </Link>
            ) : (
              <Link href="/create" prefetch={false}>
                Start creating
              </Link>
            )}
          </Button>
          <Button asChild size="lg">
            <a href="#first-request">Use the API</a>
          </Button>
        </div>
      </div>
      <div className="grid gap-3">
        <Wall names={new Map(architectures.map(({ id, name }) => [id, name]))} examples={examples} />
        {examples.length === 0 && (
          <p className="text-xs text-soft">
            Drawn by the preview engine, without a model. Connect an engine to see what models make of these prompts.
          </p>
        )}
      </div>
    </section>
  );
}
