'use client';

import { useState, type ClipboardEvent, type DragEvent, type ReactNode } from 'react';
import { AudioLines, Film, ImagePlus, Images, X } from 'lucide-react';
import { draggedKinds, dragSource, droppedMedia } from '#components/carry/drag';
import type { MediaFile } from '#components/media/picture';
import { Thumb } from '#components/media/thumb';
import type { PendingUpload } from '#components/studio/use-media-uploads';
import { cn } from '#components/ui/cn';
import { useKeptFocus } from '#components/ui/use-kept-focus';
import { acceptOf } from '#lib/client/accepted-types';
import type { MediaKind } from '#lib/media-kind';

const FRAME = 'relative size-21 shrink-0 overflow-hidden rounded-md pointer-coarse:size-25';
/** Fills the tile; an icon in place of an image is centered above the caption. */
const PICTURE = 'size-full [&>svg]:mb-6';
const ICONS = { image: ImagePlus, video: Film, audio: AudioLines };

/** An empty slot: takes files from the device, by drop or paste, or opens the picker of the studio's media. */
export function EmptyTile({
  id,
  label,
  short = label,
  media,
  invalid,
  describedBy,
  multiple,
  onFiles,
  onMedia,
  onBrowse,
}: {
  id?: string | undefined;
  label: string;
  /** Text on the tile itself, which has no room for three lines. */
  short?: string | undefined;
  media: MediaKind;
  invalid?: boolean | undefined;
  describedBy?: string | undefined;
  /** Whether several files can be chosen at the same time. */
  multiple: boolean;
  onFiles: (files: File[]) => void;
  /** Called with the URLs of media dragged from the studio, or from another page. */
  onMedia: (urls: string[]) => void;
  onBrowse: () => void;
}) {
  const [isOver, setOver] = useState(false);
  const Icon = ICONS[media];
  const take = (event: DragEvent | ClipboardEvent, files: FileList) => {
    const fitting = [...files].filter(file => file.type.startsWith(`${media}/`));
    if (!fitting.length) return;
    event.preventDefault();
    event.stopPropagation();
    onFiles(fitting);
  };
  return (
    <div
      className={cn(FRAME, 'group border border-dashed border-edge/70 transition-colors hover:border-ink', {
        'border-danger': invalid,
        'border-accent bg-accent/10': isOver,
      })}
      onDragOver={event => {
        if (!draggedKinds(event).some(kind => [media, 'files', 'address'].includes(kind))) return;
        event.preventDefault();
        event.stopPropagation();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={event => {
        setOver(false);
        const dropped = droppedMedia(event).filter(one => one.media === media);
        if (dropped.length === 0) return take(event, event.dataTransfer.files);
        event.preventDefault();
        event.stopPropagation();
        onMedia(dropped.map(({ url }) => url));
      }}
      onPaste={event => take(event, event.clipboardData.files)}
    >
      <label className="grid size-full content-center justify-items-center gap-1 px-1 pb-6 text-center pointer-coarse:pb-11 text-xs leading-3.5 text-soft has-focus-visible:rounded-md has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-accent-ink">
        <input
          type="file"
          id={id}
          accept={acceptOf(media)}
          multiple={multiple}
          className="sr-only"
          aria-label={`${label}: choose a file`}
          aria-describedby={describedBy}
          aria-invalid={invalid}
          onChange={({ target }) => {
            const files = [...(target.files ?? [])];
            target.value = '';
            onFiles(files);
          }}
        />
        <Icon className="size-4.5 text-faint transition-colors group-hover:text-accent-ink" aria-hidden />
        <span aria-hidden className="line-clamp-2">
          {short}
        </span>
      </label>
      <button
        type="button"
        onClick={onBrowse}
        className="absolute inset-x-0 bottom-0 flex h-6 items-center justify-center gap-1 border-t pointer-coarse:h-11 border-line bg-paper text-xs text-faint hover:text-ink focus-visible:-outline-offset-2"
      >
        <Images className="size-3" aria-hidden />
        <span>
          Browse<span className="sr-only"> the studio: {label}</span>
        </span>
      </button>
    </div>
  );
}

/** A file that is set; `badge` is the name by which the prompt mentions it. */
export function FilledTile({
  label,
  media,
  file,
  badge,
  act,
  onShow,
  onRemove,
}: {
  label: string;
  media: MediaKind;
  file: MediaFile;
  badge?: string | undefined;
  /** An additional action on the file. */
  act?: ReactNode;
  /** Opens the large view. */
  onShow: () => void;
  onRemove: () => void;
}) {
  return (
    <div
      {...dragSource({ media, url: file.url, name: badge ?? label, preview: file.preview_url })}
      className={cn(FRAME, 'bg-sunk')}
    >
      <Thumb file={file} media={media} alt={label} sizes="5.25rem" className={PICTURE} />
      <TileCaption>{badge ?? label}</TileCaption>
      <button
        type="button"
        aria-label={`Show ${badge ?? label.toLowerCase()}`}
        onClick={onShow}
        className="absolute inset-0 cursor-zoom-in focus-visible:rounded-md focus-visible:-outline-offset-2"
      />
      {act}
      <RemoveButton label={`Remove ${label.toLowerCase()}`} onPress={onRemove} />
    </div>
  );
}

/** A file whose upload is in progress or has failed. */
export function PendingTile({
  upload,
  media,
  onStop,
}: {
  upload: PendingUpload;
  media: MediaKind;
  onStop: () => void;
}) {
  const percent = Math.round(upload.part * 100);
  const kept = useKeptFocus();
  return (
    <div {...kept} className={cn(FRAME, 'bg-sunk')}>
      <div className="size-full opacity-45">
        <Thumb file={{ url: upload.preview }} media={media} alt={upload.name} sizes="5.25rem" className={PICTURE} />
      </div>
      <TileCaption>
        {upload.again ? (
          // the button covers the whole caption
          <button type="button" onClick={upload.again} className="font-medium after:absolute after:inset-0">
            Try again<span className="sr-only"> with {upload.name}</span>
          </button>
        ) : upload.error ? (
          <span className="text-danger">Refused</span>
        ) : (
          <>
            <progress aria-label={`Upload of ${upload.name}`} value={upload.part} max={1} className="progress mb-1" />
            <span className="figures">{percent} %</span>
          </>
        )}
      </TileCaption>
      <RemoveButton label={upload.error ? `Clear ${upload.name}` : `Stop upload of ${upload.name}`} onPress={onStop} />
    </div>
  );
}

function TileCaption({ children }: { children: ReactNode }) {
  return (
    <div className="absolute inset-x-0 bottom-0 bg-raised/88 px-2 py-1 text-center text-xs text-ink">{children}</div>
  );
}

const RemoveButton = ({ label, onPress }: { label: string; onPress: () => void }) => (
  <TileButton label={label} icon={<X className="size-4" aria-hidden />} onPress={onPress} className="right-1" />
);

/** A small round button in an upper corner of a tile. */
export function TileButton({
  label,
  icon,
  onPress,
  className,
}: {
  label: string;
  icon: ReactNode;
  onPress: () => void;
  className: string;
}) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={onPress}
      className={cn(
        'finger absolute top-1 grid size-7 place-items-center rounded-full bg-raised/88 text-ink hover:bg-raised focus-visible:rounded-full',
        className,
      )}
    >
      {icon}
    </button>
  );
}
