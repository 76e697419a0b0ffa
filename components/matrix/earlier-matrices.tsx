'use client';

import Link from 'next/link';
import { X } from 'lucide-react';
import { dropMatrix, useMatrices } from '#components/matrix/matrices';
import { focusPage } from '#components/ui/focus-back';
import { IconButton } from '#components/ui/icon-button';
import { Moment } from '#components/ui/moment';
import { useKeptFocus } from '#components/ui/use-kept-focus';

/** Matrices that were made earlier in this browser. */
export function EarlierMatrices() {
  const matrices = useMatrices();
  const kept = useKeptFocus<HTMLUListElement>({ isList: true });
  if (!matrices?.length) return null;
  return (
    <section aria-labelledby="earlier" className="grid gap-2 border-t pt-5">
      <h2 id="earlier" className="text-sm text-faint">
        Earlier
      </h2>
      <ul {...kept} className="-mx-2 grid">
        {matrices.map(({ id, prompt, across, down, createdAt }) => (
          <li key={id} className="flex items-center gap-2 rounded-md hover:bg-ink/5">
            <Link href={`/matrix?run=${id}`} className="flex min-h-11 min-w-0 grow items-baseline gap-3 px-2 py-2.5">
              <span dir="auto" className="truncate">
                {prompt}
              </span>
              <span className="figures ml-auto text-xs whitespace-nowrap text-faint">
                {across.values.length} × {down.values.length}
              </span>
              <Moment
                at={new Date(createdAt).toISOString()}
                className="text-xs whitespace-nowrap text-faint max-sm:hidden"
              />
            </Link>
            <IconButton
              label={`Forget: ${prompt}`}
              title="Forget the matrix; its results stay in the history"
              size="sm"
              icon={<X className="size-4" aria-hidden />}
              onClick={() => {
                dropMatrix(id);
                if (matrices.length === 1) focusPage();
              }}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
