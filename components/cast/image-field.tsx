'use client';

import type { ReactNode } from 'react';
import { MediaTiles } from '#components/studio/media-tiles';
import type { MediaUploads } from '#components/studio/use-media-uploads';
import { FieldError } from '#components/ui/field-error';

/** One picture: dropped, pasted, taken from the device or chosen among those of the studio. `children` stand beside it. */
export function ImageField({
  label,
  value,
  onChange,
  uploads,
  error,
  children,
}: {
  label: string;
  value: string;
  onChange: (url: string) => void;
  uploads: MediaUploads;
  error?: string | undefined;
  children?: ReactNode;
}) {
  const isPending = uploads.pending.some(({ field }) => field === 'image');
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] items-start gap-5">
      <div className="grid w-26 gap-1.5">
        <MediaTiles
          name="image"
          title={label}
          media="image"
          urls={value && !isPending ? [value] : []}
          most={1}
          uploads={uploads}
          invalid={Boolean(error)}
          onAdd={([url]) => url && onChange(url)}
          onRemove={() => onChange('')}
        />
        <FieldError>{!isPending && error}</FieldError>
      </div>
      <div className="grid content-start gap-4">{children}</div>
    </div>
  );
}
