import type { ClipboardEvent } from 'react';
import { filesOf } from '#components/studio/pasted-files';
import type { MediaUploads } from '#components/studio/use-media-uploads';

/** For `onPaste` of a form: a pasted picture or sound goes to its field, wherever the focus is. Text is pasted as ever. */
export const takePasted =
  ({ pending, start, stop }: MediaUploads, imageField: string | null, audioField: string | null) =>
  (event: ClipboardEvent) => {
    if (event.defaultPrevented) return;
    const [file] = filesOf(event.clipboardData);
    const media = file?.type.startsWith('audio/') ? 'audio' : 'image';
    const field = media === 'audio' ? audioField : imageField;
    if (!file || !field) return;
    event.preventDefault();
    for (const upload of pending) if (upload.field === field) stop(upload.id);
    start(field, media, file);
  };
