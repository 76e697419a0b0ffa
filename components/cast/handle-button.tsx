'use client';

import { Copy } from 'lucide-react';
import { copyText } from '#components/ui/copy-text';
import { toast } from '#components/ui/toast';

/** A button that shows a handle and copies it. */
export function HandleButton({ handle }: { handle: string }) {
  const copy = () =>
    copyText(`@${handle}`).then(
      () => toast({ tone: 'good', title: `@${handle} copied`, description: 'Paste it into a prompt.' }),
      () => toast({ tone: 'bad', title: 'The handle was not copied.', description: `Type @${handle} yourself.` }),
    );
  return (
    <button
      type="button"
      title="Copy the handle"
      onClick={() => void copy()}
      className="group inline-flex max-w-full items-center gap-1.5 text-sm text-accent-ink pointer-coarse:-my-2 pointer-coarse:min-h-11"
    >
      <span className="truncate">@{handle}</span>
      <Copy className="size-3.5 text-faint transition-colors group-hover:text-ink" aria-hidden />
      <span className="sr-only">, copy</span>
    </button>
  );
}
