'use client';

import Link from 'next/link';
import { ArrowDownToLine, Heart, RotateCcw, Sprout, Trash2 } from 'lucide-react';
import { settingsHref } from '#components/generations/reuse';
import { UseAs } from '#components/generations/use-as';
import { isOver } from '#components/history/words';
import { Button } from '#components/ui/button';
import { cn } from '#components/ui/cn';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import type { RequestWire } from '#lib/contract/schemas';
import { downloadAddress } from '#lib/client/download-address';
import { isLive } from '#lib/status';

/** What can be done with one request. */
export function ViewerActs({
  request,
  entries,
  onFavourite,
  onDelete,
}: {
  request: RequestWire;
  entries: readonly CatalogEntry[];
  onFavourite: () => void;
  onDelete: () => void;
}) {
  const { result, favourite, removed_at } = request;
  const isKept = result !== null && !removed_at && !isOver(result.expires_at);
  return (
    <div className="grid gap-2">
      <div className="grid grid-cols-2 gap-2">
        <Button asChild tone="primary">
          <Link href={settingsHref(request)}>
            <RotateCcw className="size-4" aria-hidden />
            Use these settings
          </Link>
        </Button>
        <Button asChild>
          <Link href={settingsHref(request, { seed: true })}>
            <Sprout className="size-4" aria-hidden />
            Same seed
          </Link>
        </Button>
      </div>
      <div className="-ml-2 flex flex-wrap items-center">
        {isKept && (
          <Button asChild tone="ghost" size="sm" className="px-2">
            <a href={downloadAddress(result.url, fileName(request))} download={fileName(request)}>
              <ArrowDownToLine className="size-4" aria-hidden />
              Download
            </a>
          </Button>
        )}
        <Button tone="ghost" size="sm" aria-pressed={favourite} onClick={onFavourite} className="px-2">
          <Heart className={cn('size-4', favourite && 'fill-current text-accent-ink')} aria-hidden />
          Favourite
        </Button>
        {isKept && <UseAs request={request} entries={entries} />}
        {!isLive(request.status) && !removed_at && (
          <Button tone="ghost" size="sm" onClick={onDelete} className="px-2 hover:text-danger">
            <Trash2 className="size-4" aria-hidden />
            Delete
          </Button>
        )}
      </div>
    </div>
  );
}

const ENDS: Record<string, string> = { 'image/png': 'png', 'video/mp4': 'mp4', 'audio/mpeg': 'mp3' };

function fileName({ prompt, result }: RequestWire): string {
  const words = prompt.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-+|-+$/g, '');
  return `${words.slice(0, 60) || 'pomona'}.${ENDS[result?.content_type ?? ''] ?? 'bin'}`;
}
