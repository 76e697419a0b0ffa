'use client';

import { Clapperboard, ImagePlus, PanelLeft } from 'lucide-react';
import { CardLink } from '#components/generations/generation-card';
import { takeHref } from '#components/generations/reuse';
import { fieldFor, type MediaUse } from '#components/studio/entry-rules';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import type { RequestWire } from '#lib/contract/schemas';

const USES: { use: MediaUse; of: RequestWire['type']; label: string; icon: typeof PanelLeft }[] = [
  { use: 'first_frame', of: 'image', label: 'Use as first frame', icon: PanelLeft },
  { use: 'reference', of: 'image', label: 'Use as reference image', icon: ImagePlus },
  { use: 'source_video', of: 'video', label: 'Use as source video', icon: Clapperboard },
];

/** What a result can be used for next: in the form that is open when it takes that, else in the first model that does. */
export function UseAs({
  request,
  entry,
  entries,
}: {
  request: RequestWire;
  /** The form that is open, if one is. */
  entry?: CatalogEntry;
  entries: readonly CatalogEntry[];
}) {
  if (!request.result) return null;
  return USES.filter(({ of }) => of === request.type).map(({ use, label, icon: Icon }) => {
    const target = entry && fieldFor(entry, use) ? entry : entries.find(other => fieldFor(other, use));
    if (!target) return null;
    const words = target === entry ? label : `${label} in ${target.name}`;
    return (
      <CardLink
        key={use}
        href={takeHref(request, use, target.id)}
        label={words}
        icon={<Icon className="size-4" aria-hidden />}
      />
    );
  });
}
