import { FolderOpen, Images, Mic, X } from 'lucide-react';
import type { PendingUpload } from '#components/studio/use-media-uploads';
import { Button } from '#components/ui/button';
import { IconButton } from '#components/ui/icon-button';
import { acceptOf } from '#lib/client/accepted-types';

interface ClipWaysProps {
  /** The failed upload, which can be retried or cleared. */
  failed: PendingUpload | undefined;
  onRecord: () => void;
  onFile: (file: File | undefined) => void;
  onBrowse: () => void;
  onClear: () => void;
}

/** Buttons for the sources of a sound. */
export function ClipWays({ failed, onRecord, onFile, onBrowse, onClear }: ClipWaysProps) {
  return (
    <div className="flex flex-wrap gap-2">
      {failed?.again && (
        <Button size="sm" onClick={failed.again}>
          Try again<span className="sr-only"> with {failed.name}</span>
        </Button>
      )}
      <Button size="sm" onClick={onRecord}>
        <Mic className="size-4" aria-hidden /> Record
      </Button>
      <Button asChild size="sm">
        <label className="has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-ink">
          <input
            type="file"
            accept={acceptOf('audio')}
            className="sr-only"
            onChange={({ target }) => {
              onFile(target.files?.[0]);
              target.value = '';
            }}
          />
          <FolderOpen className="size-4" aria-hidden /> Choose a file
        </label>
      </Button>
      <Button size="sm" tone="ghost" onClick={onBrowse}>
        <Images className="size-4" aria-hidden /> From the studio
      </Button>
      {failed && (
        <IconButton
          label={`Clear ${failed.name}`}
          size="sm"
          icon={<X className="size-4" aria-hidden />}
          onClick={onClear}
        />
      )}
    </div>
  );
}
