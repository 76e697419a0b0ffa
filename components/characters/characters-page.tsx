'use client';

import { useState } from 'react';
import { useRouter, useSearchParams } from 'next/navigation';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { CharacterCard } from '#components/characters/character-card';
import { CharacterDialog, type CharacterAct } from '#components/characters/character-dialog';
import { LogoMark } from '#components/layout/logo';
import { PageHead } from '#components/layout/page-head';
import { Button } from '#components/ui/button';
import { closeStep } from '#components/ui/close-step';
import { EmptyState } from '#components/ui/empty-state';
import { openStep } from '#components/ui/open-step';
import { QueryView } from '#components/ui/query-view';
import { Skeleton } from '#components/ui/skeleton';
import { charactersQuery } from '#lib/client/cast-queries';

const GRID = 'grid grid-cols-[repeat(auto-fill,minmax(min(14rem,44%),1fr))] gap-x-5 gap-y-9';

/** The account's characters. `?new` in the address opens the form for a new one. */
export function CharactersPage() {
  const query = useQuery(charactersQuery);
  const router = useRouter();
  const isNew = useSearchParams().has('new');
  const [act, setAct] = useState<CharacterAct | null>(null);
  const create = () => openStep('/characters?new');
  const close = () => closeStep(() => router.replace('/characters', { scroll: false }));
  const button = (
    <Button tone="primary" onClick={create}>
      <Plus className="size-4" aria-hidden /> New character
    </Button>
  );
  return (
    <>
      <PageHead pages="Cast and files" title="Characters" action={query.data?.length === 0 ? undefined : button}>
        Mention one in a prompt as <span className="text-accent-ink">@handle</span>, and the same face and voice come
        back.
      </PageHead>
      <QueryView query={query} skeleton={<Loading />}>
        {characters =>
          characters.length ? (
            <ul className={GRID}>
              {characters.map(character => (
                <CharacterCard key={character.id} character={character} onAct={setAct} />
              ))}
            </ul>
          ) : (
            <EmptyState title="No characters yet" picture={<LogoMark className="size-12" />} action={button}>
              Give someone a portrait, a name and, if you like, a voice of ten seconds. Then write{' '}
              <span className="text-accent-ink">@ana walks along the shore</span>.
            </EmptyState>
          )
        }
      </QueryView>
      {isNew && <CharacterDialog act={{ kind: 'new' }} onClose={close} />}
      {act && <CharacterDialog act={act} onClose={() => setAct(null)} />}
    </>
  );
}

function Loading() {
  return (
    <div className={GRID}>
      {Array.from({ length: 5 }, (_, index) => (
        <div key={index} className="grid gap-3">
          <Skeleton className="aspect-4/5 rounded-lg" />
          <Skeleton className="h-6 w-1/2" />
          <Skeleton className="h-4 w-1/3" />
        </div>
      ))}
    </div>
  );
}
