'use client';

import { useState, type ReactNode } from 'react';
import { useMediaFiles } from '#components/media/use-media-files';
import { EmptyTile, FilledTile, PendingTile } from '#components/studio/media-tile';
import type { MediaUploads } from '#components/studio/use-media-uploads';
import { onDemand, Opening } from '#components/ui/on-demand';
import { useKeptFocus } from '#components/ui/use-kept-focus';
import type { MediaKind } from '#lib/media-kind';

const MediaPicker = onDemand(async () => (await import('#components/studio/media-picker')).MediaPicker);

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
  const files = useMediaFiles(urls);
  const kept = useKeptFocus();
  const pending = uploads.pending.filter(({ field }) => field === name);
  const room = most - urls.length - pending.length;
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
            onRemove={() => onRemove(index)}
          />
        ))}
        {pending.map(upload => (
          <PendingTile key={upload.id} upload={upload} media={media} onStop={() => uploads.stop(upload.id)} />
        ))}
        {room > 0 && (
          <EmptyTile
            id={id}
            label={title}
            short={short}
            media={media}
            invalid={invalid}
            describedBy={describedBy}
            onFiles={files => {
              for (const file of files.slice(0, room)) uploads.start(name, media, file);
            }}
            onMedia={onAdd}
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
