'use client';

import { FileInput } from 'lucide-react';
import type { Carried } from '#components/carry/carried';
import { draggedKinds, droppedMedia } from '#components/carry/drag';
import { isInOtherDialog } from '#components/studio/other-dialog';
import { filesOf } from '#components/ui/pasted-files';
import { usePageDrop } from '#components/ui/use-page-drop';

/** Matches a generate request in curl, as the code panel writes it. */
const COMMAND = /^\s*\$?\s*curl\s[^]*\/v1\/[^/\s]+\/generate/;

const isInDialog = ({ target }: Event) => target instanceof Element && target.closest('[role=dialog]') !== null;

/** Takes what is dropped or pasted anywhere on the page and not handled by a field: files, media and curl commands. */
export function FileDrop({
  onFiles,
  onMedia,
  onCommand,
}: {
  /** Called with the files in the order in which they were dropped or pasted. */
  onFiles: (files: readonly File[]) => void;
  /** Called with media dragged from the studio, or from another page by URL. */
  onMedia: (carried: readonly Carried[]) => void;
  onCommand: (command: string) => void;
}) {
  const isOver = usePageDrop({
    isTaken: event => draggedKinds(event).length > 0,
    isElsewhere: isInOtherDialog,
    onDrop(dataTransfer) {
      const media = droppedMedia({ dataTransfer });
      if (media.length > 0) onMedia(media);
      onFiles([...dataTransfer.files]);
    },
    onPaste(clipboard, event) {
      const text = clipboard.getData('text');
      if (COMMAND.test(text) && !isInDialog(event)) {
        event.preventDefault();
        onCommand(text);
      }
      onFiles([...filesOf(clipboard)]);
    },
  });
  if (!isOver) return null;
  return (
    <p className="drop-hint">
      <FileInput className="size-4" aria-hidden /> Drop it on a field or the prompt; elsewhere its settings are used
    </p>
  );
}
