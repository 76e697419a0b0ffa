'use client';

import { useEffect, useRef, useState } from 'react';
import { FileInput } from 'lucide-react';

/** Files dropped anywhere on the page, or pasted, that no field took. */
export function FileDrop({ onFile }: { onFile: (file: File) => void }) {
  const [isOver, setOver] = useState(false);
  const take = useRef(onFile);
  useEffect(() => {
    take.current = onFile;
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
      for (const file of event.dataTransfer?.files ?? []) take.current(file);
    });
    on('paste', event => {
      if (event.defaultPrevented) return;
      for (const file of event.clipboardData?.files ?? []) take.current(file);
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
