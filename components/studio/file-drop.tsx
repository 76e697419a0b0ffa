'use client';

import { useEffect, useRef, useState } from 'react';
import { FileInput } from 'lucide-react';

/** A generate call as the code panel writes it. */
const COMMAND = /^\s*\$?\s*curl\s[^]*\/v1\/[^/\s]+\/generate/;

const isInDialog = ({ target }: Event) => target instanceof Element && target.closest('[role="dialog"]') !== null;

/** What is dropped or pasted anywhere on the page and no field took: files, and commands of the code panel. */
export function FileDrop({
  onFile,
  onCommand,
}: {
  onFile: (file: File) => void;
  onCommand: (command: string) => void;
}) {
  const [isOver, setOver] = useState(false);
  const take = useRef({ onFile, onCommand });
  useEffect(() => {
    take.current = { onFile, onCommand };
  });
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files');
    const on = <T extends keyof WindowEventMap>(type: T, listener: (event: WindowEventMap[T]) => void) =>
      window.addEventListener(type, listener, { signal });
    on('dragover', event => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    });
    on('dragleave', event => event.relatedTarget === null && setOver(false));
    on('drop', event => {
      setOver(false);
      if (event.defaultPrevented || !hasFiles(event)) return;
      event.preventDefault();
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
      <FileInput className="size-4" aria-hidden /> Drop on a field to use the file, elsewhere to take its settings
    </p>
  );
}
