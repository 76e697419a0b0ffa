'use client';

import { useState } from 'react';
import { Button } from '#components/ui/button';
import { Dialog, DialogClose } from '#components/ui/dialog';
import type { RequestWire } from '#lib/contract/schemas';
import { isLive } from '#lib/status';

/** Asks before results are deleted, and says what that means. */
export function DeleteDialog({
  requests,
  onDelete,
  onClose,
}: {
  requests: readonly RequestWire[];
  onDelete: (requests: readonly RequestWire[]) => Promise<unknown>;
  onClose: () => void;
}) {
  const [isBusy, setBusy] = useState(false);
  const finished = requests.filter(request => !isLive(request.status));
  const live = requests.length - finished.length;
  const favourites = finished.filter(({ favourite }) => favourite).length;
  const confirm = async () => {
    setBusy(true);
    await onDelete(finished);
    onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={open => !open && !isBusy && onClose()}
      title={finished.length === 1 ? 'Delete this result?' : `Delete ${finished.length} results?`}
      description={
        finished.length === 0
          ? 'What is still in the making cannot be deleted. Cancel it first.'
          : 'The files go now, everywhere their address was used, and leave your history. There is no way back, and no gems are returned.'
      }
      footer={
        <>
          <DialogClose>
            <Button>Keep</Button>
          </DialogClose>
          <Button tone="danger" busy={isBusy} disabled={finished.length === 0} onClick={() => void confirm()}>
            Delete {finished.length > 1 ? finished.length : ''}
          </Button>
        </>
      }
    >
      {(live > 0 || favourites > 0) && finished.length > 0 && (
        <ul className="list-disc pl-5 text-sm text-soft">
          {favourites > 0 && (
            <li>{favourites === 1 ? 'One of them is a favourite.' : `${favourites} of them are favourites.`}</li>
          )}
          {live > 0 && (
            <li>
              {live === 1 ? 'One is still in the making and stays.' : `${live} are still in the making and stay.`}
            </li>
          )}
        </ul>
      )}
    </Dialog>
  );
}
