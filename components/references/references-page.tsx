'use client';

import { useState, type CSSProperties } from 'react';
import { useRouter, useSearchParams } from 'next/navigation';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { PageHead } from '#components/layout/page-head';
import { KINDS } from '#components/references/kinds';
import { ReferenceCard, type ReferenceAct } from '#components/references/reference-card';
import { Button } from '#components/ui/button';
import { closeStep } from '#components/ui/close-step';
import { EmptyState } from '#components/ui/empty-state';
import { onDemand, Opening } from '#components/ui/on-demand';
import { openStep } from '#components/ui/open-step';
import { QueryView } from '#components/ui/query-view';
import { SegmentedControl } from '#components/ui/segmented-control';
import { Skeleton } from '#components/ui/skeleton';
import { referencesQuery } from '#lib/client/cast-queries';

// loaded on demand, because most visits only view references
const DeleteReference = onDemand(async () => (await import('#components/references/delete-reference')).DeleteReference);
const ReferenceForm = onDemand(async () => (await import('#components/references/reference-form')).ReferenceForm);

const GRID = 'grid grid-cols-[repeat(auto-fill,minmax(min(11rem,40vw),1fr))] gap-x-5 gap-y-8';

/** The account's references by kind. `?new` in the address opens the form for a new one. */
export function ReferencesPage() {
  const query = useQuery(referencesQuery);
  const router = useRouter();
  const isNew = useSearchParams().has('new');
  const [shown, setShown] = useState('all');
  const [act, setAct] = useState<ReferenceAct | null>(null);
  const close = () => closeStep(() => router.replace('/references', { scroll: false }));
  const create = () => openStep('/references?new');
  const button = (
    <Button tone="primary" onClick={create}>
      <Plus className="size-4" aria-hidden /> New reference
    </Button>
  );
  return (
    <>
      <PageHead pages="Cast and files" title="References" action={query.data?.length === 0 ? undefined : button}>
        Places, things, clothes, poses and audio that a prompt can mention as{' '}
        <span className="text-accent-ink">@handle</span>.
      </PageHead>
      <QueryView query={query} skeleton={<Loading />}>
        {references => {
          if (!references.length) return <Empty action={button} />;
          const present = KINDS.map(words => ({
            ...words,
            rows: references.filter(({ kind }) => kind === words.kind),
          })).filter(({ rows }) => rows.length > 0);
          const segments = present.map(({ kind, many, rows }) => ({ value: kind, label: `${many} ${rows.length}` }));
          const isThere = present.some(({ kind }) => kind === shown);
          return (
            <div className="grid grid-cols-1 gap-10">
              {present.length > 1 && (
                <SegmentedControl
                  label="Kind"
                  segments={[{ value: 'all', label: `All ${references.length}` }, ...segments]}
                  value={isThere ? shown : 'all'}
                  onValueChange={setShown}
                  className="justify-self-start"
                />
              )}
              {/* kinds with few references stand side by side */}
              <div className="flex flex-wrap gap-x-12 gap-y-10">
                {present
                  .filter(({ kind }) => !isThere || kind === shown)
                  .map(({ kind, many, rows }) => (
                    <section
                      key={kind}
                      aria-labelledby={`kind-${kind}`}
                      style={{ '--wide': `${rows.length * 12.25 - 1.25}rem` } as CSSProperties}
                      className="grid w-full content-start gap-5 border-t pt-6 sm:w-[min(var(--wide),100%)]"
                    >
                      <h2 id={`kind-${kind}`} className="font-title text-title">
                        {many}
                      </h2>
                      <ul className={GRID}>
                        {rows.map(reference => (
                          <ReferenceCard key={reference.id} reference={reference} onAct={setAct} />
                        ))}
                      </ul>
                    </section>
                  ))}
              </div>
            </div>
          );
        }}
      </QueryView>
      <Opening onClose={close}>{isNew && <ReferenceForm onClose={close} />}</Opening>
      <Opening onClose={() => setAct(null)}>
        {act?.kind === 'change' && <ReferenceForm reference={act.reference} onClose={() => setAct(null)} />}
        {act?.kind === 'delete' && <DeleteReference reference={act.reference} onClose={() => setAct(null)} />}
      </Opening>
    </>
  );
}

function Empty({ action }: { action: React.ReactNode }) {
  return (
    <EmptyState
      title="No references yet"
      action={action}
      picture={
        <div className="flex flex-wrap justify-center gap-4 text-faint">
          {KINDS.map(({ kind, icon: Icon }) => (
            <Icon key={kind} className="size-6" aria-hidden />
          ))}
        </div>
      }
    >
      Save a place, a thing, an outfit, a pose or audio. Then write{' '}
      <span className="text-accent-ink">@ana at @harbour</span>, and it looks the same each time.
    </EmptyState>
  );
}

function Loading() {
  return (
    <div className={GRID}>
      {Array.from({ length: 6 }, (_, index) => (
        <div key={index} className="grid gap-3">
          <Skeleton className="aspect-square rounded-lg" />
          <Skeleton className="h-5 w-1/2" />
        </div>
      ))}
    </div>
  );
}
