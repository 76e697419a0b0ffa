'use client';

import { useState } from 'react';
import { baseName } from '#components/generations/file-name';
import type { Matrix } from '#components/matrix/matrices';
import type { MatrixPlace } from '#components/matrix/use-matrix-requests';
import { saveBlob } from '#components/media/save-blob';
import { toast } from '#components/ui/toast';

/** Saves a matrix as one picture. */
export function useContactSheet(matrix: Matrix, places: readonly MatrixPlace[]) {
  const [isBusy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      const { drawContactSheet } = await import('#components/matrix/contact-sheet');
      saveBlob(await drawContactSheet(matrix, places), `${baseName(matrix.prompt)}-matrix.png`);
    } catch (error) {
      toast({ tone: 'bad', title: 'The contact sheet was not made.', description: (error as Error).message });
    }
    setBusy(false);
  };
  return { isBusy, save: () => void save() };
}
