'use client';

import { useId, type ReactNode } from 'react';
import { MediaTiles } from '#components/studio/media-tiles';
import type { MediaUploads } from '#components/studio/use-media-uploads';
import { FieldError } from '#components/ui/field-error';

/** Field for an image: dropped, pasted, uploaded, or chosen from the user's images. `children` stand beside it. */
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
  const id = useId();
  const isPending = uploads.pending.some(({ field }) => field === 'image');
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] items-start gap-5">
      <fieldset
        aria-label={label}
        aria-describedby={error && `${id}-error`}
        // without a file, the empty tile is marked as invalid instead
        aria-invalid={error && value ? true : undefined}
        tabIndex={-1}
        className="grid w-26 gap-1.5 outline-offset-4"
      >
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
        <FieldError id={`${id}-error`}>{!isPending && error}</FieldError>
      </fieldset>
      <div className="grid content-start gap-4">{children}</div>
    </div>
  );
}
