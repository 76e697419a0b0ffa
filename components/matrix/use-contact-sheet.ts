'use client';

import { useMutation } from '@tanstack/react-query';
import { baseName } from '#components/generations/file-name';
import type { Matrix } from '#components/matrix/matrices';
import type { MatrixPlace } from '#components/matrix/use-matrix-requests';
import { saveBlob } from '#components/media/save-blob';
import { withReason } from '#components/ui/on-demand';
import { toast } from '#components/ui/toast';

/** Saves a matrix as one image. */
export function useContactSheet(matrix: Matrix, places: readonly MatrixPlace[]) {
  const save = useMutation({
    mutationFn: async () => {
      const { drawContactSheet } = await import('#components/matrix/contact-sheet').catch(withReason);
      saveBlob(await drawContactSheet(matrix, places), `${baseName(matrix.prompt)}-matrix.png`);
    },
    onError: error => toast({ tone: 'bad', title: 'The contact sheet was not made.', description: error.message }),
  });
  return { isBusy: save.isPending, save: () => save.mutate() };
}
