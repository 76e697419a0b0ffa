'use client';

import { DeleteCharacter } from '#components/characters/delete-character';
import { PublishCharacter } from '#components/characters/publish-character';
import { onDemand, Opening } from '#components/ui/on-demand';
import type { CharacterWire } from '#lib/contract/cast-schemas';

// most visits only look
const CharacterForm = onDemand(async () => (await import('#components/characters/character-form')).CharacterForm);

export interface CharacterAct {
  kind: 'change' | 'publish' | 'delete';
  character: CharacterWire;
}

/** The dialog of what is being done with a character, or for a new one. */
export function CharacterDialog({
  act,
  onClose,
  onDeleted,
}: {
  act: CharacterAct | { kind: 'new' };
  onClose: () => void;
  onDeleted?: () => void;
}) {
  if (act.kind === 'publish') return <PublishCharacter character={act.character} onClose={onClose} />;
  if (act.kind === 'delete')
    return <DeleteCharacter character={act.character} onClose={onClose} onDeleted={onDeleted} />;
  return (
    <Opening onClose={onClose}>
      <CharacterForm {...(act.kind === 'change' && { character: act.character })} onClose={onClose} />
    </Opening>
  );
}
