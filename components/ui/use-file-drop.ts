'use client';

import { layerOf } from '#components/ui/layer-of';
import { filesOf } from '#components/ui/pasted-files';
import { usePageDrop } from '#components/ui/use-page-drop';

/** Takes files that are dropped anywhere on the page, or pasted, and that nothing else took. Whether some are held over it. */
export function useFileDrop(onFiles: (files: File[]) => void): boolean {
  const take = (files: Iterable<File>) => onFiles([...files]);
  return usePageDrop({
    isTaken: event => event.dataTransfer?.types.includes('Files') ?? false,
    isElsewhere: target => layerOf(target) !== null,
    onDrop: ({ files }) => take(files),
    onPaste: clipboard => take(filesOf(clipboard)),
  });
}
