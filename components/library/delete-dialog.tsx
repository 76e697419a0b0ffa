'use client';

import { useQueryClient } from '@tanstack/react-query';
import { removeLater } from '#components/generations/remove-later';
import { ask } from '#components/library/ask';
import { ConfirmDialog, Points } from '#components/ui/confirm-dialog';
import type { RequestWire } from '#lib/contract/schemas';

/** Confirms the deletion of several results, and points out favourites and kept ones. */
export function DeleteDialog({ requests }: { requests: readonly RequestWire[] }) {
  const queries = useQueryClient();
  const loved = requests.filter(({ favourite, kept }) => favourite || kept).length;
  return (
    <ConfirmDialog
      title={`Delete ${requests.length} results?`}
      confirm={`Delete ${requests.length}`}
      leave="Keep them"
      act={async () => removeLater(queries, requests)}
      onClose={() => ask(null)}
    >
      <Points>
        {loved > 0 && (
          <li className="text-ink">
            {loved === 1 ? '1 of them is a favourite or kept.' : `${loved} of them are favourites or kept.`}
          </li>
        )}
        <li>Links to the files stop working everywhere.</li>
        <li>No gems are refunded.</li>
      </Points>
    </ConfirmDialog>
  );
}
