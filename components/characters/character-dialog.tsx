'use client';

import { onDemand, Opening } from '#components/ui/on-demand';
import type { CharacterWire } from '#lib/contract/cast-schemas';

// loaded on demand, because most visits only view characters
const DeleteCharacter = onDemand(async () => (await import('#components/characters/delete-character')).DeleteCharacter);
const PublishCharacter = onDemand(
  async () => (await import('#components/characters/publish-character')).PublishCharacter,
);
const CharacterForm = onDemand(async () => (await import('#components/characters/character-form')).CharacterForm);

export interface CharacterAct {
  kind: 'change' | 'publish' | 'delete';
  character: CharacterWire;
}

/** Dialog for an action on a character, or for a new one. */
export function CharacterDialog({
  act,
  onClose,
  onDeleted,
}: {
  act: CharacterAct | { kind: 'new' };
  onClose: () => void;
  onDeleted?: () => void;
}) {
  return (
    <Opening onClose={onClose}>
      {act.kind === 'new' && <CharacterForm onClose={onClose} />}
      {act.kind === 'change' && <CharacterForm character={act.character} onClose={onClose} />}
      {act.kind === 'publish' && <PublishCharacter character={act.character} onClose={onClose} />}
      {act.kind === 'delete' && <DeleteCharacter character={act.character} onClose={onClose} onDeleted={onDeleted} />}
    </Opening>
  );
}
