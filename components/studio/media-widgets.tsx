'use client';

import { lazy, Suspense, useState } from 'react';
import { described, type WidgetProps } from '#components/studio/form-context';
import { EmptyTile, FilledTile, PendingTile } from '#components/studio/media-tile';

const MediaPicker = lazy(() =>
  import('#components/studio/media-picker').then(module => ({ default: module.MediaPicker })),
);

/** A field that takes one file. */
export function MediaWidget(props: WidgetProps) {
  const { value, onChange } = props;
  return (
    <Tiles
      props={props}
      urls={typeof value === 'string' && value ? [value] : []}
      most={1}
      onAdd={onChange}
      onRemove={() => onChange(undefined)}
    />
  );
}

/** A field that takes several. More references come after the first one. */
export function MediaListWidget(props: WidgetProps) {
  const urls = Array.isArray(props.value) ? (props.value as string[]) : [];
  const { entry, config } = props.context;
  const { references } = entry.image_inputs;
  if (urls.length === 0 && references?.additional_field === props.name && !config[references.field]) return null;
  return (
    <Tiles
      props={props}
      urls={urls}
      most={props.options.maxItems ?? 10}
      onAdd={url => props.onChange([...urls, url])}
      onRemove={index => props.onChange(urls.filter((_, at) => at !== index))}
    />
  );
}

function Tiles({
  props,
  urls,
  most,
  onAdd,
  onRemove,
}: {
  props: WidgetProps;
  urls: readonly string[];
  most: number;
  onAdd: (url: string) => void;
  onRemove: (index: number) => void;
}) {
  const { title, media = 'image' } = props.options;
  const { uploads, entry } = props.context;
  const [isBrowsing, setBrowsing] = useState(false);
  const pending = uploads.pending.filter(({ field }) => field === props.name);
  const room = most - urls.length - pending.length;
  const { 'aria-describedby': describedBy, 'aria-invalid': invalid } = described(props);
  const badge = (index: number) => mentionOf(entry.image_inputs.references, props.name, index);
  return (
    <>
      {urls.map((url, index) => (
        <FilledTile
          key={url}
          label={title}
          media={media}
          url={url}
          badge={badge(index)}
          onRemove={() => onRemove(index)}
        />
      ))}
      {pending.map(upload => (
        <PendingTile key={upload.id} upload={upload} media={media} onStop={() => uploads.stop(upload.id)} />
      ))}
      {room > 0 && (
        <EmptyTile
          id={props.id}
          label={title}
          media={media}
          invalid={invalid}
          describedBy={describedBy}
          onFiles={files => {
            for (const file of files.slice(0, room)) uploads.start(props.name, media, file);
          }}
          onMedia={onAdd}
          onBrowse={() => setBrowsing(true)}
        />
      )}
      {isBrowsing && (
        <Suspense>
          <MediaPicker
            media={media}
            title={title}
            onPick={url => {
              onAdd(url);
              setBrowsing(false);
            }}
            onClose={() => setBrowsing(false)}
          />
        </Suspense>
      )}
    </>
  );
}

type References = { field: string; additional_field: string | null } | null;

/** Reference images are numbered as the prompt names them: the first field, then the list. */
function mentionOf(references: References, field: string, index: number): string | undefined {
  if (field === references?.field) return '@image1';
  return field === references?.additional_field ? `@image${index + 2}` : undefined;
}
