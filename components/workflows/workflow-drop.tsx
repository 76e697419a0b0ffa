'use client';

import { Workflow } from 'lucide-react';
import { Button } from '#components/ui/button';
import { cn } from '#components/ui/cn';
import { useFileDrop } from '#components/ui/use-file-drop';

/** Takes one file with a workflow, either dropped or chosen. */
export function WorkflowDrop({
  title,
  isBusy,
  onFile,
}: {
  title: string;
  isBusy?: boolean;
  onFile: (file: File) => void;
}) {
  const isOver = useFileDrop(([file]) => file && onFile(file));
  return (
    <section
      aria-label={title}
      className={cn(
        'grid items-center gap-x-6 gap-y-4 rounded-lg border border-dashed border-edge/70 p-6 transition-colors sm:grid-cols-[auto_minmax(0,1fr)_auto]',
        isOver && 'border-accent bg-accent/10',
      )}
    >
      <Workflow className={cn('size-8 text-faint', isOver && 'text-accent-ink')} aria-hidden />
      <div className="grid gap-1">
        <p className="font-title text-lg leading-6">{isOver ? 'Drop to read it' : title}</p>
        <p className="max-w-prose text-sm text-soft">
          {/* touch screens cannot drop files */}
          <span className="pointer-coarse:hidden">Drop a file anywhere on this page, or choose one. </span>A workflow in
          API format (in ComfyUI: Workflow → Export (API)), or an image or video that a ComfyUI saved and that carries
          one.
        </p>
      </div>
      <Button asChild aria-busy={isBusy || undefined}>
        <label className="justify-self-start has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-ink">
          <input
            type="file"
            accept=".json,.png,.webp,.jpg,.jpeg,.mp4,.webm"
            className="sr-only"
            onChange={event => {
              const [file] = event.target.files ?? [];
              if (file) onFile(file);
              event.target.value = '';
            }}
          />
          {isBusy ? 'Reading' : 'Choose a file'}
        </label>
      </Button>
    </section>
  );
}
