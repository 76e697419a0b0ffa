'use client';

import { useQueryClient } from '@tanstack/react-query';
import {
  Archive,
  ArrowDownToLine,
  Clapperboard,
  Dices,
  FolderPlus,
  Heart,
  ImagePlus,
  Link2,
  Maximize2,
  Paintbrush,
  RotateCcw,
  SlidersHorizontal,
  Sprout,
  Star,
  Trash2,
  type LucideIcon,
} from 'lucide-react';
import { offerCarried, type Intent } from '#components/carry/carried';
import { carriedOf } from '#components/carry/carried-of';
import { placesFor } from '#components/carry/places-for';
import { fileName } from '#components/generations/file-name';
import { nameOf } from '#components/generations/name-of';
import { settingsHref } from '#components/generations/reuse';
import { usePress } from '#components/generations/use-press';
import { useRequestActs } from '#components/generations/use-request-acts';
import { ask } from '#components/library/ask';
import { useExampleChoice } from '#components/library/use-examples';
import { byCode } from '#components/ui/on-demand';
import { downloadAddress } from '#lib/client/download-address';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import type { RequestWire } from '#lib/contract/schemas';
import { isLive } from '#lib/status';

export type ActId =
  | 'again'
  | 'vary'
  | 'settings'
  | 'seed'
  | Intent
  | 'favourite'
  | 'keep'
  | 'collect'
  | 'tag'
  | 'compare'
  | 'share'
  | 'example'
  | 'download'
  | 'cancel'
  | 'delete';

/** An act on a request: it either leads to `href` or calls `onPress`. */
export interface Act {
  id: ActId;
  name: string;
  icon: LucideIcon;
  href?: string;
  /** Name of the file that `href` saves; empty if the server names it. */
  file?: string;
  onPress?: () => void;
  /** Maximum price in gems. */
  gems?: number;
  /** State of a toggle. */
  isOn?: boolean;
  isDanger?: boolean;
  /** Why the act is not possible now. */
  why?: string | false;
}

const OFFERS: { intent: Intent; of: readonly RequestWire['type'][]; name: string; icon: LucideIcon }[] = [
  { intent: 'edit', of: ['image'], name: 'Edit', icon: Paintbrush },
  { intent: 'animate', of: ['image'], name: 'Animate', icon: Clapperboard },
  { intent: 'reference', of: ['image'], name: 'Use as reference', icon: ImagePlus },
  { intent: 'enlarge', of: ['image'], name: 'Upscale', icon: Maximize2 },
  { intent: 'use', of: ['video', 'audio'], name: 'Use in…', icon: ImagePlus },
];

/** Returns everything that can be done with a request, in the same order and with the same names everywhere. */
export function useActs(request: RequestWire, entries: readonly CatalogEntry[]): Act[] {
  const press = usePress();
  const queries = useQueryClient();
  const { setFavourite, setKept, remove } = useRequestActs();
  const example = useExampleChoice(request.request_id);
  const { status, result, type, favourite, removed_at } = request;
  if (removed_at) return [];
  const isDone = !isLive(status);
  const gems = request.billing.gems_charged;
  const carried = carriedOf(request);
  const kept = carried && result;
  const canServe = entries.some(({ id }) => id === request.architecture);
  const again = (other?: 'other seed') =>
    byCode(
      import('#components/generations/repeat'),
      ({ repeat }) => repeat(request, { queries, press }, other),
      'It was not sent.',
    );
  const acts: (Act | false | null | undefined)[] = [
    canServe &&
      (status === 'failed'
        ? { id: 'again', name: 'Try again', icon: RotateCcw, gems, onPress: () => again() }
        : isDone && { id: 'vary', name: 'Vary', icon: Dices, gems, onPress: () => again('other seed') }),
    { id: 'settings', name: 'Use settings', icon: SlidersHorizontal, href: settingsHref(request) },
    // a recipe takes no seed
    result && !request.run && { id: 'seed', name: 'Same seed', icon: Sprout, href: settingsHref(request, true) },
    ...OFFERS.map(({ intent, of, name, icon }) => {
      const isOffered = carried && of.includes(type) && placesFor(entries, [carried], intent).length > 0;
      return isOffered && { id: intent, name, icon, onPress: () => offerCarried({ carried, intent }) };
    }),
    isDone && {
      id: 'favourite',
      name: 'Favourite',
      icon: Heart,
      isOn: favourite,
      onPress: () => void setFavourite([request], !favourite),
    },
    kept && {
      id: 'keep',
      name: 'Keep',
      icon: Archive,
      isOn: request.kept === true,
      onPress: () => void setKept([request], !request.kept),
    },
    isDone && {
      id: 'collect',
      name: 'Collect',
      icon: FolderPlus,
      onPress: () => ask({ kind: 'collect', requests: [request] }),
    },
    kept && {
      id: 'share',
      name: 'Share',
      icon: Link2,
      onPress: () => ask({ kind: 'share', of: { request_id: request.request_id }, title: nameOf(request) }),
    },
    kept &&
      canServe &&
      example && {
        id: 'example',
        name: 'Model example',
        icon: Star,
        isOn: example.isOn,
        onPress: example.toggle,
      },
    kept && {
      id: 'download',
      name: 'Download',
      icon: ArrowDownToLine,
      href: downloadAddress(kept.url, fileName(request)),
      file: fileName(request),
    },
    carried && {
      id: 'save',
      name: type === 'image' ? 'Copy or save as…' : 'Download as…',
      icon: ArrowDownToLine,
      onPress: () => offerCarried({ carried, intent: 'save' }),
    },
    isDone && { id: 'delete', name: 'Delete', icon: Trash2, isDanger: true, onPress: () => remove([request]) },
  ];
  return acts.filter(act => !!act);
}
