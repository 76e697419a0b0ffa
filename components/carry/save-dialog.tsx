'use client';

import { useMutation } from '@tanstack/react-query';
import { Copy, Download } from 'lucide-react';
import type { Carried } from '#components/carry/carried';
import { baseName } from '#components/generations/file-name';
import { fetchMedia } from '#components/media/fetch-media';
import { FORMATS, type Format } from '#components/media/formats';
import { saveBlob } from '#components/media/save-blob';
import { Alert } from '#components/ui/alert';
import { Dialog } from '#components/ui/dialog';
import { Spinner } from '#components/ui/spinner';
import { toast } from '#components/ui/toast';
import { downloadAddress } from '#lib/client/download-address';

/** Saves media in a chosen file format, converted in the browser where necessary, and copies images. */
export function SaveDialog({ carried: { media, url, name }, onClose }: { carried: Carried; onClose: () => void }) {
  const nameOf = ({ extension }: Format) => `${baseName(name)}.${extension}`;
  const save = useMutation({
    mutationFn: async (format: Format) => saveBlob(await format.convert!(await fetchMedia(url)), nameOf(format)),
    onSuccess: onClose,
  });
  const copy = useMutation({
    // the promise of the bytes is passed, because Safari requires `write` within the user gesture
    mutationFn: async () => navigator.clipboard.write([new ClipboardItem({ 'image/png': fetchMedia(url) })]),
    onSuccess() {
      toast({ title: 'Copied', description: 'Paste it wherever an image can go.' });
      onClose();
    },
  });
  return (
    <Dialog
      open
      title={media === 'image' ? 'Copy or save as' : 'Download as'}
      onOpenChange={open => !open && onClose()}
    >
      <ul className="grid">
        {FORMATS[media].map(format => (
          <li key={format.name} className="border-t first:border-0">
            {format.convert ? (
              <button
                type="button"
                aria-disabled={save.isPending}
                onClick={() => !save.isPending && save.mutate(format)}
                className={ROW}
              >
                <Words format={format} />
                {save.isPending && save.variables === format ? (
                  <Spinner label="Converting" />
                ) : (
                  <Download aria-hidden />
                )}
              </button>
            ) : (
              <a
                href={downloadAddress(url, nameOf(format))}
                download={nameOf(format)}
                onClick={onClose}
                className={ROW}
              >
                <Words format={format} />
                <Download aria-hidden />
              </a>
            )}
          </li>
        ))}
        {media === 'image' && (
          <li className="border-t">
            <button
              type="button"
              aria-disabled={copy.isPending}
              onClick={() => !copy.isPending && copy.mutate()}
              className={ROW}
            >
              <Words format={{ name: 'Copy', hint: 'To paste somewhere else' }} />
              {copy.isPending ? <Spinner label="Copying" /> : <Copy aria-hidden />}
            </button>
          </li>
        )}
      </ul>
      {copy.error && (
        <Alert tone="bad" title="The image was not copied.">
          The browser did not allow it, or the file did not load. You can still download it.
        </Alert>
      )}
      {save.error && (
        <Alert tone="bad" title="The file was not converted.">
          {save.error.message} You can still download the original.
        </Alert>
      )}
    </Dialog>
  );
}

// a busy row is not `disabled`, which would drop the focus
const ROW =
  '-mx-3 flex w-[calc(100%+1.5rem)] items-center gap-4 rounded-md px-3 py-3 text-left transition-colors hover:bg-ink/6 aria-disabled:opacity-60 [&_svg]:size-4 [&_svg]:text-faint';

const Words = ({ format: { name, hint } }: { format: Pick<Format, 'name' | 'hint'> }) => (
  <span className="grid grow">
    <span className="font-medium">{name}</span>
    <span className="text-sm text-soft">{hint}</span>
  </span>
);
