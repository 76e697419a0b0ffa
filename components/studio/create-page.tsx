'use client';

import { useEffect, useRef, type ReactNode } from 'react';
import { usePathname, useRouter } from 'next/navigation';
import { useQuery } from '@tanstack/react-query';
import type { FirstPage } from '#components/generations/use-history';
import { showOverlay } from '#components/layout/overlays';
import { Phone } from '#components/layout/phone';
import { Stage } from '#components/stage/stage';
import { Composer } from '#components/studio/composer';
import { catalogQuery } from '#lib/client/queries';

/**
 * The composer of one model beside the stage. The URL names the model; by default it is the one used last. The stage
 * stays mounted when the model changes.
 */
export function CreatePage({
  last,
  revision,
  first,
  isPhone,
  children,
}: {
  last: string | undefined;
  /** Revision of the catalog. */
  revision: string;
  first: FirstPage;
  /** Whether the browser identified itself as a phone. */
  isPhone: boolean;
  /** Shown when no model has the name in the URL. */
  children: ReactNode;
}) {
  const { data: entries = [] } = useQuery(catalogQuery);
  const named = usePathname().split('/')[2];
  const entry = named ? entries.find(({ id }) => id === named) : (entries.find(({ id }) => id === last) ?? entries[0]);
  const isGone = named !== undefined && !entry;
  const wasThere = useRef(false);
  const { refresh } = useRouter();
  // the model has left the catalog, so the server renders what became of it
  useEffect(() => {
    if (isGone && wasThere.current) refresh();
    wasThere.current = !isGone;
  }, [isGone, refresh]);
  // a sheet left open would reopen by itself on the next visit to the page
  useEffect(() => () => showOverlay(null), []);
  if (!entry) return children;
  return (
    <Phone value={isPhone}>
      <div className="-my-6 grid grid-cols-1 max-lg:-mx-5 md:-my-10 md:-mx-[clamp(1.25rem,4vw,4rem)] lg:grid-cols-[20rem_minmax(0,1fr)]">
        <Composer key={entry.id} entry={entry} entries={entries} revision={revision} />
        <div className="min-w-0 p-3 max-lg:pb-24">
          <Stage first={first} entry={entry} entries={entries} />
        </div>
      </div>
    </Phone>
  );
}
