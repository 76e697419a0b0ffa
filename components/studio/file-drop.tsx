'use client';

import { useEffect, useRef, useState } from 'react';
import { FileInput } from 'lucide-react';
import type { Carried } from '#components/carry/carried';
import { draggedKinds, droppedMedia } from '#components/carry/drag';

/** A generate call as the code panel writes it. */
const COMMAND = /^\s*\$?\s*curl\s[^]*\/v1\/[^/\s]+\/generate/;

const isInDialog = ({ target }: Event) => target instanceof Element && target.closest('[role="dialog"]') !== null;

/** What is dropped or pasted anywhere on the page and no field took: files, and commands of the code panel. */
export function FileDrop({
  onFile,
  onMedia,
  onCommand,
}: {
  onFile: (file: File) => void;
  /** Of the studio, or of another page by its address. */
  onMedia: (carried: readonly Carried[]) => void;
  onCommand: (command: string) => void;
}) {
  const [isOver, setOver] = useState(false);
  const take = useRef({ onFile, onMedia, onCommand });
  useEffect(() => {
    take.current = { onFile, onMedia, onCommand };
  });
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const on = <T extends keyof WindowEventMap>(type: T, listener: (event: WindowEventMap[T]) => void) =>
      window.addEventListener(type, listener, { signal });
    on('dragover', event => {
      if (draggedKinds(event).length === 0) return;
      event.preventDefault();
      setOver(true);
    });
    on('dragleave', event => event.relatedTarget === null && setOver(false));
    on('dragend', () => setOver(false));
    on('drop', event => {
      setOver(false);
      if (event.defaultPrevented || draggedKinds(event).length === 0) return;
      event.preventDefault();
      const media = droppedMedia(event);
      if (media.length > 0) take.current.onMedia(media);
      for (const file of event.dataTransfer?.files ?? []) take.current.onFile(file);
    });
    on('paste', event => {
      if (event.defaultPrevented) return;
      const text = event.clipboardData?.getData('text') ?? '';
      if (COMMAND.test(text) && !isInDialog(event)) {
        event.preventDefault();
        take.current.onCommand(text);
      }
      for (const file of event.clipboardData?.files ?? []) take.current.onFile(file);
    });
    return () => controller.abort();
  }, []);
  if (!isOver) return null;
  return (
    <p className="animate-fade-in pointer-events-none fixed inset-x-0 bottom-8 z-40 mx-auto flex w-fit items-center gap-2 rounded-full bg-ink px-5 py-3 text-sm text-paper shadow-float">
      <FileInput className="size-4" aria-hidden /> Drop it on a field or the prompt; elsewhere a file gives its settings
    </p>
  );
}
