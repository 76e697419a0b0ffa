import Link from 'next/link';
import { Emblem } from '#components/architectures/emblem';
import { Button } from '#components/ui/button';
import { EmptyState } from '#components/ui/empty-state';

/** Shown in place of the composer of a retired model. */
export function RetiredModel({
  id,
  name,
  nearest,
  query,
}: {
  id: string;
  name: string;
  nearest: { id: string; name: string } | undefined;
  /** Query string that asks for settings to be filled in, such as `?from=ID`. */
  query: string;
}) {
  return (
    <div className="grid min-h-[70dvh] content-center">
      <h1 className="sr-only">{name}</h1>
      <EmptyState
        picture={<Emblem id={id} className="size-20 opacity-60 grayscale" />}
        title={`${name} was retired`}
        action={
          <>
            {nearest && (
              <Button asChild tone="primary">
                <Link href={`/create/${nearest.id}${query}`}>
                  {query ? `Open the settings in ${nearest.name}` : `Create with ${nearest.name}`}
                </Link>
              </Button>
            )}
            <Button asChild>
              <Link href="/history">What it made</Link>
            </Button>
          </>
        }
      >
        It makes nothing new. Its results stay in your history for as long as they are kept.
        {nearest && ` ${nearest.name} does most of what it did; settings it does not take are left out.`}
      </EmptyState>
    </div>
  );
}
