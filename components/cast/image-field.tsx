'use client';

import { useState, type ReactNode } from 'react';
import { MediaPicker } from '#components/studio/media-picker';
import { EmptyTile, FilledTile, PendingTile } from '#components/studio/media-tile';
import type { MediaUploads } from '#components/studio/use-media-uploads';

/** One picture: dropped, pasted, taken from the device or chosen among those of the studio. `children` stand beside it. */
export function ImageField({
  name,
  label,
  value,
  onChange,
  uploads,
  error,
  children,
}: {
  name: string;
  label: string;
  value: string;
  onChange: (url: string) => void;
  uploads: MediaUploads;
  error?: string | undefined;
  children?: ReactNode;
}) {
  const [isBrowsing, setBrowsing] = useState(false);
  const pending = uploads.pending.find(({ field }) => field === name);
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] items-start gap-5">
      <div className="grid w-26 gap-1.5">
        {pending ? (
          <PendingTile upload={pending} media="image" onStop={() => uploads.stop(pending.id)} />
        ) : value ? (
          <FilledTile label={label} media="image" url={value} onRemove={() => onChange('')} />
        ) : (
          <EmptyTile
            label={label}
            media="image"
            invalid={Boolean(error)}
            onFiles={([file]) => file && uploads.start(name, 'image', file)}
            onMedia={onChange}
            onBrowse={() => setBrowsing(true)}
          />
        )}
        {error && !pending && (
          <p role="alert" className="text-xs font-medium text-danger">
            {error}
          </p>
        )}
      </div>
      <div className="grid content-start gap-4">{children}</div>
      {isBrowsing && (
        <MediaPicker
          media="image"
          title={label}
          onPick={url => {
            onChange(url);
            setBrowsing(false);
          }}
          onClose={() => setBrowsing(false)}
        />
      )}
    </div>
  );
}
