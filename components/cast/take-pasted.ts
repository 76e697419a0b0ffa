import type { ClipboardEvent } from 'react';
import type { MediaUploads } from '#components/studio/use-media-uploads';
import { filesOf } from '#components/ui/pasted-files';
import { toast } from '#components/ui/toast';

/** A form field, and how many more files it takes. Without `room`, a new file replaces the previous one. */
interface Place {
  field: string;
  room?: number;
}

/** `onPaste` handler of a form: uploads pasted images or a sound to their field, wherever the focus is. */
export const takePasted =
  ({ pending, start, stop }: MediaUploads, images: Place | null, audio: Place | null) =>
  (event: ClipboardEvent) => {
    if (event.defaultPrevented) return;
    const files = [...filesOf(event.clipboardData)];
    const media = files[0]?.type.startsWith('audio/') ? 'audio' : 'image';
    const place = media === 'audio' ? audio : images;
    if (files.length === 0 || !place) return;
    event.preventDefault();
    const { field, room } = place;
    const before = pending.filter(upload => upload.field === field);
    if (room === undefined) for (const { id } of before) stop(id);
    const taken = files.slice(0, room === undefined ? 1 : Math.max(0, room - before.length));
    if (taken.length === 0) toast({ title: 'There is no room for more.' });
    else if (taken.length < files.length)
      toast({ title: `There is room for ${taken.length} of these ${files.length}.` });
    for (const file of taken) start(field, media, file);
  };
