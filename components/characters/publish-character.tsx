'use client';

import { useQueryClient } from '@tanstack/react-query';
import { ConfirmDialog, Points } from '#components/ui/confirm-dialog';
import { toast } from '#components/ui/toast';
import { putCharacter, setVisibility } from '#lib/client/cast-api';
import type { CharacterWire } from '#lib/contract/cast-schemas';

/** Dialog that makes a character public or private again, and explains the consequences. */
export function PublishCharacter({ character, onClose }: { character: CharacterWire; onClose: () => void }) {
  const { id, name, handle, voice_url, visibility } = character;
  const isPublic = visibility === 'public';
  const queries = useQueryClient();
  const change = async () => {
    putCharacter(queries, await setVisibility(id, isPublic ? 'private' : 'public'));
    toast({
      tone: 'good',
      title: isPublic ? `${name} is private again.` : `Everyone can now mention @${handle}.`,
    });
  };
  return (
    <ConfirmDialog
      title={isPublic ? `Make ${name} private?` : `Publish ${name}?`}
      confirm={isPublic ? 'Make private' : 'Publish'}
      tone="primary"
      act={change}
      onClose={onClose}
    >
      <Points>
        {isPublic ? (
          <>
            <li>Only you can mention @{handle} from now on.</li>
            <li>What others made with it stays theirs.</li>
          </>
        ) : (
          <>
            <li>
              Everyone on this deployment can write @{handle} in a prompt and get this face
              {voice_url ? ' and this voice' : ''}.
            </li>
            <li>It is not listed for others: they need to know the handle.</li>
            <li>You can make it private again at any time.</li>
          </>
        )}
      </Points>
    </ConfirmDialog>
  );
}
