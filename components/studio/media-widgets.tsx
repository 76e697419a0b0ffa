'use client';

import { described, type FormContext, type WidgetProps } from '#components/studio/form-context';
import { MediaTiles } from '#components/studio/media-tiles';
import { roomOf } from '#components/studio/slots';

/** A field that takes one file. */
export function MediaWidget(props: WidgetProps) {
  const { value, onChange } = props;
  return (
    <Tiles
      props={props}
      urls={typeof value === 'string' && value ? [value] : []}
      most={1}
      onRemove={() => onChange(undefined)}
    />
  );
}

/** A field that takes several files. Additional references are shown once the first reference is set. */
export function MediaListWidget(props: WidgetProps) {
  const urls = Array.isArray(props.value) ? (props.value as string[]) : [];
  const { entry, config, uploads } = props.context;
  const { references } = entry.image_inputs;
  const isEmpty = urls.length === 0 && !uploads.pending.some(({ field }) => field === props.name);
  if (isEmpty && references?.additional_field === props.name && !config[references.field]) return null;
  return (
    <Tiles
      props={props}
      short={references?.additional_field === props.name ? 'More' : undefined}
      urls={urls}
      most={props.options.maxItems ?? 10}
      onRemove={index => props.onChange(urls.filter((_, at) => at !== index))}
    />
  );
}

function Tiles({
  props,
  ...files
}: {
  props: WidgetProps;
  short?: string | undefined;
  urls: readonly string[];
  most: number;
  onRemove: (index: number) => void;
}) {
  const { title, media = 'image' } = props.options;
  const { uploads, entry, config, addMedia } = props.context;
  const awaited = uploads.pending.map(({ field }) => field);
  const { 'aria-describedby': describedBy, 'aria-invalid': invalid } = described(props);
  return (
    <MediaTiles
      {...files}
      name={props.name}
      id={props.id}
      title={title}
      media={media}
      room={roomOf(entry, config, props.name, awaited)}
      uploads={uploads}
      describedBy={describedBy}
      invalid={invalid}
      onAdd={added => addMedia(props.name, added)}
      badge={index => mentionOf(props.context, props.name, index)}
    />
  );
}

/** Returns how the prompt names a reference image: the first field is number 1 if it is set, then comes the list. */
function mentionOf({ entry, config }: FormContext, field: string, index: number): string | undefined {
  const { references } = entry.image_inputs;
  if (field === references?.field) return '@image1';
  return field === references?.additional_field ? `@image${index + (config[references.field] ? 2 : 1)}` : undefined;
}
