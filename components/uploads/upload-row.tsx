'use client';

import { ImagePlus, Trash2 } from 'lucide-react';
import { offerCarried } from '#components/carry/carried';
import { dragSource } from '#components/carry/drag';
import { expiryOf, momentOf } from '#components/generations/words';
import { Thumb } from '#components/media/thumb';
import { Moment } from '#components/ui/moment';
import { CopyButton } from '#components/ui/copy-button';
import { IconButton } from '#components/ui/icon-button';
import { InPlace, onDemand } from '#components/ui/on-demand';
import { cn } from '#components/ui/cn';
import { formatBytes } from '#components/ui/format-bytes';
import type { UploadWire } from '#lib/contract/cast-schemas';
import { mediaKindOf } from '#lib/media-kind';

const ClipPlayer = onDemand(async () => (await import('#components/cast/clip-player')).ClipPlayer);

const NAMES: Record<string, string> = {
  'image/jpeg': 'JPEG image',
  'image/png': 'PNG image',
  'image/webp': 'WebP image',
  'image/avif': 'AVIF image',
  'image/gif': 'GIF image',
  'video/mp4': 'MP4 video',
  'video/quicktime': 'MOV video',
  'video/webm': 'WebM video',
};
const SOON_MS = 3 * 86_400_000;

const isSoon = (end: string): boolean => Date.parse(end) - Date.now() < SOON_MS;

const kindOf = ({ content_type }: UploadWire): string =>
  NAMES[content_type] ?? (/wav/.test(content_type) ? 'WAV audio' : 'MP3 audio');

export const nameOf = (upload: UploadWire): string => upload.file_name ?? `this ${kindOf(upload)}`;

/** An upload: its file, its expiry and its URL. */
export function UploadRow({ upload, onDelete }: { upload: UploadWire; onDelete: (upload: UploadWire) => void }) {
  const { url, bytes, created_at, url_expires_at } = upload;
  const kind = kindOf(upload);
  const name = upload.file_name ?? kind;
  const media = mediaKindOf(upload.content_type);
  const carried = media && { media, url, name, preview: upload.preview_url };
  return (
    <li
      {...dragSource(carried)}
      className="grid grid-cols-[4rem_minmax(0,1fr)] items-center gap-x-5 gap-y-3 border-b py-3 md:grid-cols-[4rem_minmax(0,1fr)_auto]"
    >
      <Thumb file={upload} media={media ?? 'image'} sizes="4rem" className="size-16 rounded-md" />
      <div className="grid grid-cols-1 gap-1 text-sm">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <a href={url} dir="auto" className="finger-line max-w-full truncate font-medium hover:text-accent-ink">
            {name}
          </a>
          <span className="figures text-xs text-faint">
            {[upload.file_name && kind, bytes !== null && formatBytes(bytes)].filter(Boolean).join(' · ')}
          </span>
        </p>
        <p className="text-xs text-soft">
          Uploaded <Moment at={created_at} /> ·{' '}
          <span className={cn(isSoon(url_expires_at) && 'font-medium text-amber')}>
            <time dateTime={url_expires_at} title={momentOf(url_expires_at)}>
              {expiryOf(url_expires_at)}
            </time>
          </span>
        </p>
        {upload.content_type.startsWith('audio/') && (
          <InPlace>
            <ClipPlayer
              url={url}
              label={upload.file_name ?? `the ${kind}`}
              peaks={upload.peaks ?? []}
              className="mt-1 max-w-80 border bg-sunk"
            />
          </InPlace>
        )}
      </div>
      <div className="flex items-center gap-1 max-md:col-start-2 max-md:-ml-3">
        {carried && (
          <IconButton
            label={`Use ${nameOf(upload)} in…`}
            icon={<ImagePlus className="size-4" aria-hidden />}
            onClick={() => offerCarried({ carried, intent: 'use' })}
          />
        )}
        <CopyButton text={url} label="Copy address" of={`${name}, uploaded ${created_at}`} />
        <IconButton
          label={`Delete ${nameOf(upload)}`}
          icon={<Trash2 className="size-4" aria-hidden />}
          onClick={() => onDelete(upload)}
        />
      </div>
    </li>
  );
}
