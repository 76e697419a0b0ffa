'use client';

import type { DragEvent } from 'react';
import type { Carried } from '#components/carry/carried';
import { MEDIA_KINDS, type MediaKind } from '#lib/media-kind';

const TYPE = 'application/x-pomona-';

/** Makes an element a source: what is dragged from it can be dropped on slots, the prompt, the way to Create, and other programs. */
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

/** The pointer carries how many there are, in place of the one that was taken hold of. */
function showCount(dataTransfer: DataTransfer, count: number) {
  const label = document.createElement('p');
  label.className = 'fixed -top-20 left-0 rounded-full bg-ink px-4 py-2 text-sm text-paper';
  label.textContent = `${count} results`;
  document.body.append(label);
  dataTransfer.setDragImage(label, -12, -12);
  // the browser takes its picture of it when the handler is done
  setTimeout(() => label.remove());
}

type Given = Pick<globalThis.DragEvent, 'dataTransfer'> | Pick<DragEvent, 'dataTransfer'>;

/** What is over the page, while its content cannot be read yet: of our kinds, addresses from elsewhere, files; nothing for text and the like. */
export function draggedKinds({ dataTransfer }: Given): (MediaKind | 'address' | 'files')[] {
  const types = dataTransfer?.types ?? [];
  const ours = MEDIA_KINDS.filter(kind => types.includes(TYPE + kind));
  if (ours.length > 0) return ours;
  if (types.includes('Files')) return ['files'];
  return types.includes('text/uri-list') ? ['address'] : [];
}

/** What was dropped: our media, or the picture of another page by its address; nothing for files and anything else. */
export function droppedMedia({ dataTransfer }: Given): Carried[] {
  if (!dataTransfer) return [];
  const ours = MEDIA_KINDS.flatMap(kind => JSON.parse(dataTransfer.getData(TYPE + kind) || '[]') as Carried[]);
  if (ours.length > 0 || dataTransfer.files.length > 0) return ours;
  const html = dataTransfer.getData('text/html');
  const source = html ? new DOMParser().parseFromString(html, 'text/html').querySelector('img')?.src : undefined;
  // of a picture in a link the list has where that leads
  const addresses = source ? [source] : dataTransfer.getData('text/uri-list').split(/\r?\n/);
  const url = addresses.find(address => /^(http|data:image)/.test(address));
  return url ? [{ media: kindOfAddress(url), url, name: url[0] === 'h' ? url : 'Image' }] : [];
}

const ENDS: Partial<Record<MediaKind, RegExp>> = { video: /\.(mp4|mov|webm)($|[?#])/i, audio: /\.(mp3|wav)($|[?#])/i };

/** By the end of its name; most of what is dragged between pages are pictures. */
const kindOfAddress = (url: string): MediaKind => MEDIA_KINDS.find(kind => ENDS[kind]?.test(url)) ?? 'image';
