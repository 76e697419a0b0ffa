'use client';

import { useState, type ReactNode } from 'react';
import { useMediaFiles } from '#components/media/use-media-files';
import { EmptyTile, FilledTile, PendingTile } from '#components/studio/media-tile';
import type { MediaUploads } from '#components/studio/use-media-uploads';
import { onDemand, Opening } from '#components/ui/on-demand';
import { toast } from '#components/ui/toast';
import { useKeptFocus } from '#components/ui/use-kept-focus';
import type { MediaKind } from '#lib/media-kind';

const MediaDialog = onDemand(async () => (await import('#components/studio/media-dialog')).MediaDialog);
const MediaPicker = onDemand(async () => (await import('#components/studio/media-picker')).MediaPicker);

/** No place of a list. */
const NONE = -1;

interface Props {
  /** The field of the form, and of the uploads. */
  name: string;
  /** What each of the files is called. */
  title: string;
  /** The same where there is little room. */
  short?: string | undefined;
  media: MediaKind;
  urls: readonly string[];
  /** How many there may be. */
  most: number;
  /** How many more are taken at once, where what has no place here goes on to the next field. */
  room?: number;
  uploads: MediaUploads;
  id?: string;
  describedBy?: string | undefined;
  invalid?: boolean | undefined;
  /** What one of them is called, where that differs. */
  nameOf?: (index: number) => string;
  /** How the prompt names a file. */
  badge?: (index: number) => string | undefined;
  /** Stands on a file, beside the button that removes it. */
  renderAct?: (index: number) => ReactNode;
  /** Media that the studio or another page has; of those only as many as there is room for. */
  onAdd: (urls: string[]) => void;
  onRemove: (index: number) => void;
}

/** Files that a form holds: those that are set, those on their way, and a place for one more while there is room. */
export function MediaTiles({
  name,
  title,
  short,
  media,
  urls,
  most,
  room: roomInAll,
  uploads,
  id,
  describedBy,
  invalid,
  nameOf,
  badge,
  renderAct,
  onAdd,
  onRemove,
}: Props) {
  const [isBrowsing, setBrowsing] = useState(false);
  const [shown, setShown] = useState(NONE);
  const files = useMediaFiles(urls);
  const large = files[shown];
  const kept = useKeptFocus();
  const pending = uploads.pending.filter(({ field }) => field === name);
  const roomHere = most - urls.length - pending.length;
  const room = Math.max(1, roomInAll ?? roomHere);
  const fitting = <T,>(all: readonly T[]): T[] => {
    if (all.length > room) toast({ title: `There is room for ${room} of these ${all.length}.` });
    return all.slice(0, room);
  };
  return (
    <>
      <div {...kept} className="contents">
        {files.map((file, index) => (
          <FilledTile
            key={file.url}
            label={nameOf?.(index) ?? title}
            media={media}
            file={file}
            badge={badge?.(index)}
            act={renderAct?.(index)}
            onShow={() => setShown(index)}
            onRemove={() => onRemove(index)}
          />
        ))}
        {pending.map(upload => (
          <PendingTile key={upload.id} upload={upload} media={media} onStop={() => uploads.stop(upload.id)} />
        ))}
        {roomHere > 0 && (
          <EmptyTile
            id={id}
            label={title}
            short={short}
            media={media}
            invalid={invalid}
            describedBy={describedBy}
            multiple={room > 1}
            onFiles={files => {
              for (const file of fitting(files)) uploads.start(name, media, file);
            }}
            onMedia={urls => onAdd(fitting(urls))}
            onBrowse={() => setBrowsing(true)}
          />
        )}
      </div>
      {pending.map(
        ({ id, error }) =>
          error && (
            <p key={id} role="alert" className="order-1 basis-full text-xs font-medium text-danger">
              {error}
            </p>
          ),
      )}
      {large && (
        <Opening onClose={() => setShown(NONE)}>
          <MediaDialog
            file={large}
            media={media}
            title={badge?.(shown) ?? nameOf?.(shown) ?? title}
            onClose={() => setShown(NONE)}
          />
        </Opening>
      )}
      {isBrowsing && (
        <Opening onClose={() => setBrowsing(false)}>
          <MediaPicker
            media={media}
            title={title}
            onPick={url => {
              onAdd([url]);
              setBrowsing(false);
            }}
            onClose={() => setBrowsing(false)}
          />
        </Opening>
      )}
    </>
  );
}
