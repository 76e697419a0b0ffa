'use client';

import { X } from 'lucide-react';
import type { PendingUpload } from '#components/studio/use-media-uploads';
import { Button } from '#components/ui/button';
import { IconButton } from '#components/ui/icon-button';
import { Progress } from '#components/ui/progress';
import { useKeptFocus } from '#components/ui/use-kept-focus';

/** A file that is being uploaded, or whose upload failed. */
export function PendingRow({ upload, onStop }: { upload: PendingUpload; onStop: () => void }) {
  const { name, part, error, again } = upload;
  const kept = useKeptFocus();
  return (
    <li className="grid min-h-22 grid-cols-[minmax(0,1fr)_auto] items-center gap-4 border-b py-3">
      <div className="grid grid-cols-1 gap-2">
        <p className="flex justify-between gap-4 text-sm">
          <span dir="auto" className="truncate font-medium">
            {name}
          </span>
          {!error && <span className="figures text-soft">{Math.round(part * 100)} %</span>}
        </p>
        {error ? (
          <p role="alert" className="text-sm text-danger">
            {error}
          </p>
        ) : (
          <Progress value={part} label={`Upload of ${name}`} />
        )}
      </div>
      <div {...kept} className="flex items-center gap-1">
        {again && (
          <Button size="sm" onClick={again}>
            Try again<span className="sr-only"> with {name}</span>
          </Button>
        )}
        <IconButton
          label={error ? `Clear ${name}` : `Stop the upload of ${name}`}
          icon={<X className="size-4" aria-hidden />}
          onClick={onStop}
        />
      </div>
    </li>
  );
}
