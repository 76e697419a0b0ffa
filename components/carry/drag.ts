'use client';

import type { DragEvent } from 'react';
import type { Carried } from '#components/carry/carried';
import { MEDIA_KINDS, type MediaKind } from '#lib/media-kind';

const TYPE = 'application/x-pomona-';

/** Props that make an element a drag source for slots, the prompt, the link to Create, and other programs. */
export const dragSource = (given: Carried | null | undefined | readonly Carried[]) => {
  const carried = [given ?? []].flat();
  return (
    carried.length > 0 && {
      draggable: true,
      onDragStart: ({ dataTransfer }: DragEvent) => {
        dataTransfer.effectAllowed = 'copy';
        for (const [kind, some] of Object.entries(Object.groupBy(carried, ({ media }) => media)))
          dataTransfer.setData(TYPE + kind, JSON.stringify(some));
        const addresses = carried.map(({ url }) => url);
        dataTransfer.setData('text/uri-list', addresses.join('\r\n'));
        dataTransfer.setData('text/plain', addresses.join('\n'));
        if (carried.length > 1) showCount(dataTransfer, carried.length);
      },
    }
  );
};

/** Shows the number of dragged results at the pointer, instead of the dragged element. */
function showCount(dataTransfer: DataTransfer, count: number) {
  const label = document.createElement('p');
  label.className = 'fixed -top-20 left-0 rounded-full bg-ink px-4 py-2 text-sm text-paper';
  label.textContent = `${count} results`;
  document.body.append(label);
  dataTransfer.setDragImage(label, -12, -12);
  // the browser captures the drag image after the handler has returned
  setTimeout(() => label.remove());
}

type Given = Pick<globalThis.DragEvent, 'dataTransfer'> | Pick<DragEvent, 'dataTransfer'>;

/** Returns the kinds of what is dragged, whose content is not readable before the drop; empty for text and the like. */
export function draggedKinds({ dataTransfer }: Given): (MediaKind | 'address' | 'files')[] {
  const types = dataTransfer?.types ?? [];
  const ours = MEDIA_KINDS.filter(kind => types.includes(TYPE + kind));
  if (ours.length > 0) return ours;
  if (types.includes('Files')) return ['files'];
  return types.includes('text/uri-list') ? ['address'] : [];
}

/** Returns the dropped media: those of this app, or the URL of an image from another page; none for files and text. */
export function droppedMedia({ dataTransfer }: Given): Carried[] {
  if (!dataTransfer) return [];
  const ours = MEDIA_KINDS.flatMap(kind => JSON.parse(dataTransfer.getData(TYPE + kind) || '[]') as Carried[]);
  if (ours.length > 0 || dataTransfer.files.length > 0) return ours;
  const html = dataTransfer.getData('text/html');
  const source = html ? new DOMParser().parseFromString(html, 'text/html').querySelector('img')?.src : undefined;
  // for an image inside a link, the URI list has the target of the link
  const addresses = source ? [source] : dataTransfer.getData('text/uri-list').split(/\r?\n/);
  const url = addresses.find(address => /^(http|data:image)/.test(address));
  return url ? [{ media: kindOfAddress(url), url, name: url[0] === 'h' ? url : 'Image' }] : [];
}

const ENDS: Partial<Record<MediaKind, RegExp>> = { video: /\.(mp4|mov|webm)($|[?#])/i, audio: /\.(mp3|wav)($|[?#])/i };

/** Guesses the media kind of a URL from its file extension; the default is an image. */
const kindOfAddress = (url: string): MediaKind => MEDIA_KINDS.find(kind => ENDS[kind]?.test(url)) ?? 'image';
