'use client';

import Link from 'next/link';
import { useRouter, useSearchParams } from 'next/navigation';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useCollectDrop } from '#components/collections/use-collect-drop';
import { PageHead } from '#components/layout/page-head';
import { CollectionCover } from '#components/library/collection-cover';
import { Button } from '#components/ui/button';
import { closeStep } from '#components/ui/close-step';
import { EmptyState } from '#components/ui/empty-state';
import { onDemand, Opening } from '#components/ui/on-demand';
import { openStep } from '#components/ui/open-step';
import { QueryView } from '#components/ui/query-view';
import { Skeleton } from '#components/ui/skeleton';
import { collectionsQuery } from '#lib/client/library-queries';
import type { CollectionWire } from '#lib/contract/library-schemas';

// loaded on demand, because most visits only view collections
const CollectionForm = onDemand(async () => (await import('#components/collections/collection-form')).CollectionForm);

const GRID = 'grid grid-cols-[repeat(auto-fill,minmax(min(13rem,44%),1fr))] gap-x-5 gap-y-8';

/** The account's collections. `?new` in the address opens the form for a new one. */
export function CollectionsPage() {
  const query = useQuery(collectionsQuery);
  const router = useRouter();
  const isNew = useSearchParams().has('new');
  const close = () => closeStep(() => router.replace('/collections', { scroll: false }));
  const button = (
    <Button tone="primary" onClick={() => openStep('/collections?new')}>
      <Plus className="size-4" aria-hidden /> New collection
    </Button>
  );
  return (
    <>
      <PageHead pages="Library" title="Collections" action={query.data?.length === 0 ? undefined : button}>
        Group results by project, mood or shortlist. A result can be in any number of collections.
      </PageHead>
      <QueryView query={query} skeleton={<Loading />}>
        {collections =>
          collections.length ? (
            <ul className={GRID}>
              {collections.map(collection => (
                <Card key={collection.id} collection={collection} />
              ))}
            </ul>
          ) : (
            <EmptyState title="No collections yet" action={button}>
              Create one here, or choose “Collect” on any result.
            </EmptyState>
          )
        }
      </QueryView>
      <Opening onClose={close}>{isNew && <CollectionForm onClose={close} />}</Opening>
    </>
  );
}

function Card({ collection: { id, name, count, cover } }: { collection: CollectionWire }) {
  const drop = useCollectDrop({ id, name });
  return (
    <li {...drop}>
      <Link href={`/collections/${id}`} className="group grid grid-cols-1 gap-2.5 focus-visible:rounded-lg">
        <span className="relative block aspect-square overflow-hidden rounded-lg bg-sunk transition-[filter] group-hover:brightness-105">
          <CollectionCover cover={cover} sizes="(min-width: 768px) 280px, 45vw" />
        </span>
        <span className="flex items-baseline justify-between gap-3">
          <span dir="auto" className="font-title line-clamp-2 text-lg leading-6 wrap-anywhere">
            {name}
          </span>
          <span className="figures text-sm text-faint">
            {count}
            <span className="sr-only"> results</span>
          </span>
        </span>
      </Link>
    </li>
  );
}

function Loading() {
  return (
    <div className={GRID}>
      {Array.from({ length: 6 }, (_, index) => (
        <Skeleton key={index} className="aspect-square rounded-lg" />
      ))}
    </div>
  );
}
