'use client';

import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { Button } from '#components/ui/button';
import { Dialog, DialogClose } from '#components/ui/dialog';
import { toast } from '#components/ui/toast';
import { putCharacter, setVisibility } from '#lib/client/cast-api';
import type { CharacterWire } from '#lib/contract/cast-schemas';

/** Makes a character public, or private again, and says what that means. */
export function PublishCharacter({ character, onClose }: { character: CharacterWire; onClose: () => void }) {
  const { id, name, handle, voice_url, visibility } = character;
  const isPublic = visibility === 'public';
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const change = async () => {
    setBusy(true);
    try {
      const changed = await setVisibility(id, isPublic ? 'private' : 'public');
      putCharacter(queries, changed);
      toast({
        tone: 'good',
        title: isPublic ? `${name} is yours alone again.` : `Everybody may mention @${handle} now.`,
      });
      onClose();
    } catch (error) {
      setBusy(false);
      toast({ tone: 'bad', title: 'That did not work.', description: (error as Error).message });
    }
  };
  return (
    <Dialog
      open
      title={isPublic ? `Make ${name} private?` : `Publish ${name}?`}
      onOpenChange={open => !open && onClose()}
      footer={
        <>
          <DialogClose>
            <Button tone="ghost">Leave it</Button>
          </DialogClose>
          <Button tone="primary" busy={isBusy} onClick={() => void change()}>
            {isPublic ? 'Make private' : 'Publish'}
          </Button>
        </>
      }
    >
      <ul className="grid list-disc gap-2 pl-5 text-sm text-soft marker:text-accent">
        {isPublic ? (
          <>
            <li>Only you can mention @{handle} from now on.</li>
            <li>What others made with it stays theirs.</li>
          </>
        ) : (
          <>
            <li>
              Everybody on this deployment can write @{handle} in a prompt and gets this face
              {voice_url ? ' and this voice' : ''}.
            </li>
            <li>It is not listed for others: they need to know the handle.</li>
            <li>You can make it private again whenever you like.</li>
          </>
        )}
      </ul>
    </Dialog>
  );
}
