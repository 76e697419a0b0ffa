'use client';

import { layerOf } from '#components/ui/layer-of';
import { filesOf } from '#components/ui/pasted-files';
import { usePageDrop } from '#components/ui/use-page-drop';

/** Takes files dropped anywhere or pasted, and not handled elsewhere. Returns whether files are dragged over it. */
export function useFileDrop(onFiles: (files: File[]) => void): boolean {
  const take = (files: Iterable<File>) => onFiles([...files]);
  return usePageDrop({
    isTaken: event => event.dataTransfer?.types.includes('Files') ?? false,
    isElsewhere: target => layerOf(target) !== null,
    onDrop: ({ files }) => take(files),
    onPaste: clipboard => take(filesOf(clipboard)),
  });
}
