'use client';

import { useId } from 'react';
import { Star } from 'lucide-react';
import { TileButton } from '#components/studio/media-tile';
import { MediaTiles } from '#components/studio/media-tiles';
import type { MediaUploads } from '#components/studio/use-media-uploads';
import { FieldError } from '#components/ui/field-error';

/** Field for the ordered images besides the portrait. */
export function ImagesField({
  name,
  value,
  most,
  onChange,
  onPortrait,
  uploads,
  error,
}: {
  name: string;
  value: readonly string[];
  most: number;
  onChange: (urls: string[]) => void;
  /** Swaps one of the images with the portrait. */
  onPortrait: (index: number) => void;
  uploads: MediaUploads;
  error?: string | undefined;
}) {
  const id = useId();
  return (
    <fieldset
      aria-describedby={error && `${id}-error`}
      aria-invalid={error ? true : undefined}
      tabIndex={-1}
      className="grid min-w-0 gap-2 outline-offset-6"
    >
      <legend className="flex w-full items-baseline justify-between gap-4 pb-1.5">
        <span className="text-sm font-medium">More images</span>
        <span className="text-xs text-faint">optional, up to {most}</span>
      </legend>
      <div className="flex flex-wrap gap-2.5">
        <MediaTiles
          name={name}
          title="Image"
          media="image"
          urls={value}
          most={most}
          uploads={uploads}
          nameOf={index => `Image ${index + 2}`}
          renderAct={index => (
            <TileButton
              label={`Make image ${index + 2} the portrait`}
              icon={<Star className="size-3.5" aria-hidden />}
              onPress={() => onPortrait(index)}
              className="left-1"
            />
          )}
          onAdd={urls => onChange([...value, ...urls].slice(0, most))}
          onRemove={index => onChange(value.filter((_, at) => at !== index))}
        />
      </div>
      <p className="text-xs text-faint">
        Other angles, other light, the whole figure. A model takes as many as it can, the portrait first.
      </p>
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </fieldset>
  );
}
