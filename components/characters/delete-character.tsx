'use client';

import { useQueryClient } from '@tanstack/react-query';
import { ConfirmDialog, Points } from '#components/ui/confirm-dialog';
import { toast } from '#components/ui/toast';
import { characterQuery } from '#lib/client/cast-api';
import { orGone } from '#lib/client/or-gone';
import { charactersQuery } from '#lib/client/cast-queries';
import { api } from '#lib/client/queries';
import type { CharacterWire } from '#lib/contract/cast-schemas';

export function DeleteCharacter({
  character,
  onClose,
  onDeleted,
}: {
  character: CharacterWire;
  onClose: () => void;
  onDeleted?: (() => void) | undefined;
}) {
  const { id, name, handle, voice_url, additional_image_urls: more } = character;
  const queries = useQueryClient();
  const remove = async () => {
    await orGone(api.deleteCharacter({ params: { character_id: id } }));
    queries.setQueryData(charactersQuery.queryKey, all => all?.filter(other => other.id !== id));
    void queries.invalidateQueries({ queryKey: characterQuery(id).queryKey, refetchType: 'none' });
    toast({ title: `${name} is deleted.` });
    onDeleted?.();
  };
  return (
    <ConfirmDialog title={`Delete ${name}?`} confirm={`Delete ${name}`} leave="Keep" act={remove} onClose={onClose}>
      <Points>
        <li>
          {more.length ? 'The images' : 'The portrait'}
          {voice_url ? ' and the voice are' : more.length ? ' are' : ' is'} deleted. This cannot be undone.
        </li>
        <li>A prompt that mentions @{handle} is refused from now on, and anyone may take the handle.</li>
        <li>Results made with it stay in your history, and what is in progress is finished.</li>
      </Points>
    </ConfirmDialog>
  );
}
