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

/** Index of no file. */
const NONE = -1;

interface Props {
  /** Name of the form field, to which uploads refer, too. */
  name: string;
  /** Label of each file. */
  title: string;
  /** Short label for the empty tile. */
  short?: string | undefined;
  media: MediaKind;
  urls: readonly string[];
  /** Maximum number of files. */
  most: number;
  /** How many more files can be taken, including those that go on to the next field when this one is full. */
  room?: number;
  uploads: MediaUploads;
  id?: string;
  describedBy?: string | undefined;
  invalid?: boolean | undefined;
  /** Returns the label of a file, where it differs from `title`. */
  nameOf?: (index: number) => string;
  /** Returns the name by which the prompt mentions a file. */
  badge?: (index: number) => string | undefined;
  /** Renders an action on a file, next to its remove button. */
  renderAct?: (index: number) => ReactNode;
  /** Called with the URLs of existing media, no more than there is room for. */
  onAdd: (urls: string[]) => void;
  onRemove: (index: number) => void;
}

/** The files of a form field: those that are set, pending uploads, and an empty tile while there is room. */
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
