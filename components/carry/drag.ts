'use client';

import type { DragEvent } from 'react';
import type { Carried } from '#components/carry/carried';
import type { MediaKind } from '#lib/media-kind';

const TYPE = 'application/x-pomona-';
const KINDS: readonly MediaKind[] = ['image', 'video', 'audio'];

/** Makes an element a source: what is dragged from it can be dropped on slots, the prompt, the way to Create, and other programs. */
export const dragSource = (carried: Carried | null | undefined) =>
  carried && {
    draggable: true,
    onDragStart: ({ dataTransfer }: DragEvent) => {
      dataTransfer.effectAllowed = 'copy';
      dataTransfer.setData(TYPE + carried.media, JSON.stringify(carried));
      dataTransfer.setData('text/uri-list', carried.url);
      dataTransfer.setData('text/plain', carried.url);
    },
  };

type Given = Pick<globalThis.DragEvent, 'dataTransfer'> | Pick<DragEvent, 'dataTransfer'>;

/** What is over the page, while its content cannot be read yet: one of our kinds, an address from elsewhere, files; null for text and the like. */
export function draggedKind({ dataTransfer }: Given): MediaKind | 'address' | 'files' | null {
  const types = dataTransfer?.types ?? [];
  const ours = KINDS.find(kind => types.includes(TYPE + kind));
  if (ours) return ours;
  if (types.includes('Files')) return 'files';
  return types.includes('text/uri-list') ? 'address' : null;
}

/** What was dropped: our media, or the picture of another page by its address; null for files and anything else. */
export function droppedMedia({ dataTransfer }: Given): Carried | null {
  if (!dataTransfer) return null;
  for (const kind of KINDS) {
    const text = dataTransfer.getData(TYPE + kind);
    if (text) return JSON.parse(text) as Carried;
  }
  if (dataTransfer.files.length > 0) return null;
  const html = dataTransfer.getData('text/html');
  const source = html ? new DOMParser().parseFromString(html, 'text/html').querySelector('img')?.src : undefined;
  const url =
    source ??
    dataTransfer
      .getData('text/uri-list')
      .split(/\r?\n/)
      .find(line => /^https?:/.test(line));
  return url ? { media: kindOfAddress(url), url, name: url } : null;
}

const ENDS: Partial<Record<MediaKind, RegExp>> = { video: /\.(mp4|mov|webm)($|[?#])/i, audio: /\.(mp3|wav)($|[?#])/i };

/** By the end of its name; most of what is dragged between pages are pictures. */
const kindOfAddress = (url: string): MediaKind => KINDS.find(kind => ENDS[kind]?.test(url)) ?? 'image';
