import { Archive, Columns2, Download, FolderPlus, Heart, ImagePlus, Tag, Trash2 } from 'lucide-react';
import { offerCarried } from '#components/carry/carried';
import { carriedOf } from '#components/carry/carried-of';
import type { Act } from '#components/generations/use-acts';
import { zipHref } from '#components/generations/zip-href';
import { isOver } from '#components/generations/words';
import { ask } from '#components/library/ask';
import { toast } from '#components/ui/toast';
import { COMPARED_AT_ONCE } from '#components/viewer/use-view-address';
import { ZIP_SIZE } from '#lib/contract/library-limits';
import type { RequestWire } from '#lib/contract/schemas';

export interface SelectionHandlers {
  onFavourite: (favourite: boolean) => void;
  onKeep: (requests: readonly RequestWire[], keep: boolean) => void;
  onCompare: () => void;
  onDelete: () => void;
}

const NO_FILE = 'Select something that has a file';

/** Returns the actions for the selected requests, in the order in which they are shown everywhere. */
export function selectionActs(selected: readonly RequestWire[], on: SelectionHandlers): Act[] {
  const kept = selected.filter(({ result }) => result && !isOver(result.expires_at));
  const [first, ...more] = selected.flatMap(request => carriedOf(request) ?? []);
  const areFavourites = selected.length > 0 && selected.every(({ favourite }) => favourite);
  const areKept = kept.length > 0 && kept.every(request => request.kept);
  const canCompare = selected.length > 1 && selected.length <= COMPARED_AT_ONCE && kept.length === selected.length;
  const isNone = selected.length === 0 && 'Select something first';
  const isFileless = kept.length === 0 && NO_FILE;
  return [
    {
      id: 'favourite',
      name: areFavourites ? 'Unfavourite' : 'Favourite',
      icon: Heart,
      why: isNone,
      onPress: () => on.onFavourite(!areFavourites),
    },
    {
      id: 'keep',
      name: areKept ? 'Stop keeping' : 'Keep',
      icon: Archive,
      why: isFileless,
      onPress: () => on.onKeep(kept, !areKept),
    },
    {
      id: 'collect',
      name: 'Collect',
      icon: FolderPlus,
      why: isNone,
      onPress: () => ask({ kind: 'collect', requests: selected }),
    },
    {
      id: 'use',
      name: 'Use in…',
      icon: ImagePlus,
      why: !first && NO_FILE,
      onPress: () => first && offerCarried({ carried: first, more, intent: 'use' }),
    },
    { id: 'tag', name: 'Tag', icon: Tag, why: isNone, onPress: () => ask({ kind: 'tag', requests: selected }) },
    {
      id: 'compare',
      name: 'Compare',
      icon: Columns2,
      why: !canCompare && `Select 2 to ${COMPARED_AT_ONCE} results to compare them`,
      onPress: on.onCompare,
    },
    { id: 'download', name: 'Download', icon: Download, why: isFileless, onPress: () => downloadZip(kept) },
    { id: 'delete', name: 'Delete', icon: Trash2, isDanger: true, why: isNone, onPress: on.onDelete },
  ];
}

/** Downloads a zip through a link, so that the browser streams it to disk and the page stays open. */
function downloadZip(kept: readonly RequestWire[]) {
  if (kept.length > ZIP_SIZE) {
    toast({
      title: `A zip holds ${ZIP_SIZE} results.`,
      description: `Select fewer: ${kept.length} are selected.`,
      tone: 'bad',
    });
    return;
  }
  const link = document.createElement('a');
  link.href = zipHref(kept);
  link.download = '';
  link.click();
}
