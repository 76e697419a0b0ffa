'use client';

import { useState } from 'react';
import { useRouter } from 'next/navigation';
import { useQuery } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { ClipPlayer } from '#components/cast/clip-player';
import { HandleButton } from '#components/cast/handle-button';
import { CharacterDialog, type CharacterAct } from '#components/characters/character-dialog';
import { CharacterMenu } from '#components/characters/character-menu';
import { CharacterSheet } from '#components/characters/character-sheet';
import { MadeWith } from '#components/characters/made-with';
import type { FirstPage } from '#components/generations/use-history';
import { useTitle } from '#components/layout/use-title';
import { BackLink } from '#components/ui/back-link';
import { Badge } from '#components/ui/badge';
import { Button } from '#components/ui/button';
import { PageView } from '#components/ui/query-view';
import { characterQuery } from '#lib/client/cast-api';
import type { CharacterWire } from '#lib/contract/cast-schemas';

/** Page of a character: its images, its voice, and the results made with it. */
export function CharacterPage({ id, made }: { id: string; made: FirstPage }) {
  const query = useQuery(characterQuery(id));
  return <PageView query={query}>{character => <Opened character={character} made={made} />}</PageView>;
}

function Opened({ character, made }: { character: CharacterWire; made: FirstPage }) {
  const router = useRouter();
  const [act, setAct] = useState<CharacterAct | null>(null);
  const { name, handle, description, voice_url, visibility } = character;
  useTitle(name);
  return (
    <div className="grid gap-x-12 gap-y-10 lg:grid-cols-[20rem_minmax(0,1fr)]">
      <header className="grid content-start gap-5">
        <BackLink href="/characters">Characters</BackLink>
        <div className="grid min-w-0 justify-items-start gap-1">
          <h1 className="font-title text-head wrap-anywhere">{name}</h1>
          <div className="flex flex-wrap items-center gap-3">
            <HandleButton handle={handle} />
            {visibility === 'public' && (
              <Badge tone="good" dot>
                Public
              </Badge>
            )}
          </div>
        </div>
        {description && <p className="max-w-prose wrap-anywhere text-soft">{description}</p>}
        {voice_url && (
          <ClipPlayer url={voice_url} label={`the voice of ${name}`} className="w-full max-w-sm border bg-sunk" />
        )}
        <div className="flex gap-2">
          <Button onClick={() => setAct({ kind: 'change', character })}>
            <Pencil className="size-4" aria-hidden /> Change
          </Button>
          <CharacterMenu character={character} onAct={setAct} isBesideChange />
        </div>
      </header>
      <CharacterSheet character={character} onAdd={() => setAct({ kind: 'change', character })} />
      <div className="lg:col-span-2">
        <MadeWith handle={handle} first={made} />
      </div>
      {act && (
        // replaced, so that going back does not lead to the deleted character
        <CharacterDialog act={act} onClose={() => setAct(null)} onDeleted={() => router.replace('/characters')} />
      )}
    </div>
  );
}
