'use client';

import { usePageDrop } from '#components/ui/use-page-drop';

/** Takes files that are dropped anywhere on the page, or pasted, and that nothing else took. Whether some are held over it. */
export function useFileDrop(onFiles: (files: File[]) => void): boolean {
  const take = ({ files }: DataTransfer) => files.length > 0 && onFiles([...files]);
  return usePageDrop({
    isTaken: event => event.dataTransfer?.types.includes('Files') ?? false,
    onDrop: take,
    onPaste: take,
  });
}
