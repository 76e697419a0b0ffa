'use client';

import { Archive, Columns2, Download, FolderPlus, Heart, ImagePlus, Tag, Trash2, X } from 'lucide-react';
import { offerCarried } from '#components/carry/carried';
import { carriedOf } from '#components/carry/carried-of';
import { isOver } from '#components/generations/words';
import { COMPARED_AT_ONCE } from '#components/viewer/use-view-address';
import { ZIP_LIMIT, zipHref } from '#components/generations/use-request-acts';
import { ask } from '#components/library/ask';
import { Button } from '#components/ui/button';
import { IconButton } from '#components/ui/icon-button';
import { toast } from '#components/ui/toast';
import type { RequestWire } from '#lib/contract/schemas';

/** What can be done with everything that is selected. */
export function SelectionBar({
  selected,
  onFavourite,
  onKeep,
  onCompare,
  onDelete,
  onSelectAll,
  onClear,
}: {
  selected: readonly RequestWire[];
  onFavourite: (favourite: boolean) => void;
  onKeep: (requests: readonly RequestWire[], keep: boolean) => void;
  onCompare: () => void;
  onDelete: () => void;
  onSelectAll: () => void;
  onClear: () => void;
}) {
  const kept = selected.filter(({ result }) => result && !isOver(result.expires_at));
  const [first, ...more] = selected.flatMap(request => carriedOf(request) ?? []);
  const areFavourites = selected.length > 0 && selected.every(({ favourite }) => favourite);
  const areKept = kept.length > 0 && kept.every(request => request.kept);
  const canCompare = selected.length > 1 && selected.length <= COMPARED_AT_ONCE && kept.length === selected.length;
  return (
    <div role="toolbar" aria-label="Selected results" className="flex min-h-10 flex-wrap items-center gap-x-2 gap-y-1">
      <IconButton
        label="Clear the selection"
        icon={<X className="size-4" aria-hidden />}
        onClick={onClear}
        className="-ml-2"
      />
      <output className="figures mr-2 text-sm font-medium">{selected.length} selected</output>
      <Button tone="ghost" size="sm" onClick={onSelectAll} className="max-sm:hidden">
        Select all loaded
      </Button>
      <div className="ml-auto flex flex-wrap items-center gap-1 sm:gap-2">
        <Act
          label={areFavourites ? 'Unfavourite' : 'Favourite'}
          icon={<Heart className="size-4" aria-hidden />}
          disabled={selected.length === 0}
          onClick={() => onFavourite(!areFavourites)}
        />
        <Act
          label={areKept ? 'Keep no longer' : 'Keep'}
          icon={<Archive className="size-4" aria-hidden />}
          disabled={kept.length === 0}
          onClick={() => onKeep(kept, !areKept)}
        />
        <Act
          label="Collect"
          title="Add to a collection"
          icon={<FolderPlus className="size-4" aria-hidden />}
          disabled={selected.length === 0}
          onClick={() => ask({ kind: 'collect', requests: selected })}
        />
        <Act
          label="Use in…"
          icon={<ImagePlus className="size-4" aria-hidden />}
          disabled={!first}
          onClick={() => first && offerCarried({ carried: first, more, intent: 'use' })}
        />
        <Act
          label="Tag"
          icon={<Tag className="size-4" aria-hidden />}
          disabled={selected.length === 0}
          onClick={() => ask({ kind: 'tag', requests: selected })}
        />
        <Act
          label="Compare"
          icon={<Columns2 className="size-4" aria-hidden />}
          disabled={!canCompare}
          title={canCompare ? undefined : `Select two to ${COMPARED_AT_ONCE} results to compare them`}
          onClick={onCompare}
        />
        <Act
          label="Download"
          icon={<Download className="size-4" aria-hidden />}
          disabled={kept.length === 0}
          onClick={() => downloadZip(kept)}
        />
        <Act
          label="Delete"
          icon={<Trash2 className="size-4" aria-hidden />}
          tone="danger"
          disabled={selected.length === 0}
          onClick={onDelete}
        />
      </div>
    </div>
  );
}

function Act({ label, icon, ...rest }: { label: string; icon: React.ReactNode } & React.ComponentProps<typeof Button>) {
  return (
    <Button size="sm" aria-label={label} className="max-sm:px-2.5" {...rest}>
      {icon}
      <span className="max-sm:hidden">{label}</span>
    </Button>
  );
}

/** The browser writes the zip to disk as it comes; the page stays. */
function downloadZip(kept: readonly RequestWire[]) {
  if (kept.length > ZIP_LIMIT) {
    toast({
      title: `A zip holds ${ZIP_LIMIT} results.`,
      description: `Select fewer than the ${kept.length} that are selected.`,
      tone: 'bad',
    });
    return;
  }
  const link = document.createElement('a');
  link.href = zipHref(kept);
  link.download = '';
  link.click();
}
