'use client';

import { Upload } from 'lucide-react';
import type { MediaUploads } from '#components/studio/use-media-uploads';
import { Button } from '#components/ui/button';
import { cn } from '#components/ui/cn';
import { toast } from '#components/ui/toast';
import { useFileDrop } from '#components/ui/use-file-drop';
import { useIsListening } from '#components/ui/use-is-listening';
import { acceptOf } from '#lib/client/accepted-types';
import { MEDIA_KINDS } from '#lib/media-kind';

/** Takes files that are chosen, dropped anywhere on the page, or pasted. */
export function DropZone({ onFile }: { onFile: MediaUploads['start'] }) {
  const take = (files: Iterable<File>) => {
    for (const file of files) {
      const media = MEDIA_KINDS.find(kind => acceptOf(kind).split(',').includes(file.type));
      if (media) onFile('upload', media, file);
      else
        toast({
          tone: 'bad',
          title: `${file.name} cannot be used.`,
          description: 'JPEG, PNG, WebP, AVIF, GIF, MP4, MOV, WebM, MP3 or WAV.',
        });
    }
  };
  const isOver = useFileDrop(take);

  return (
    // inert until hydrated: a file chosen before that would be lost
    <div
      inert={!useIsListening()}
      className={cn(
        'grid justify-items-center gap-3 rounded-lg border border-dashed border-edge/70 px-6 py-10 text-center transition-colors',
        isOver && 'border-accent bg-accent/10',
      )}
    >
      <Upload className={cn('size-7 text-faint', isOver && 'text-accent-ink')} aria-hidden />
      <p className="font-title text-title">
        {/* touch screens cannot drop files */}
        <span className="pointer-coarse:hidden">{isOver ? 'Drop to upload' : 'Drop files anywhere on this page'}</span>
        <span className="not-pointer-coarse:hidden">Upload files from this device</span>
      </p>
      <p className="text-sm text-soft">
        <span className="pointer-coarse:hidden">or paste them.</span> Images (JPEG, PNG, WebP, AVIF, GIF), videos (MP4,
        MOV, WebM) and audio (MP3, WAV), up to 100 MB each.
      </p>
      <Button asChild tone="primary" className="mt-2">
        <label className="has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-ink">
          <input
            type="file"
            multiple
            accept={MEDIA_KINDS.map(acceptOf).join(',')}
            className="sr-only"
            onChange={event => {
              take(event.target.files ?? []);
              event.target.value = '';
            }}
          />
          Choose files
        </label>
      </Button>
    </div>
  );
}
