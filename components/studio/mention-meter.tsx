'use client';

import type { Config } from '#components/studio/config';
import { mediaUse } from '#components/studio/media-use';
import type { Mentionable } from '#components/studio/mentionables';
import { cn } from '#components/ui/cn';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

/** Shows how many images and voices the request uses, of those that the variant takes. */
export function MentionMeter({
  entry,
  config,
  mentionables,
}: {
  entry: CatalogEntry;
  config: Config;
  mentionables: readonly Mentionable[];
}) {
  const use = mediaUse(entry, config, mentionables);
  const rows = [
    { name: 'images', ...use.images },
    { name: 'voices', ...use.voices },
  ].filter(({ used }) => used > 0);
  if (rows.length === 0) return null;
  return (
    <p className="figures flex flex-wrap gap-x-4 gap-y-1 text-xs text-faint">
      {rows.map(({ name, used, most }) => (
        <span key={name} className={cn('inline-flex items-center gap-2', used > most && 'font-medium text-danger')}>
          <span className="flex gap-0.5" aria-hidden>
            {Array.from({ length: Math.min(most, 12) }, (_, index) => (
              <span key={index} className={cn('h-2 w-1.5 rounded-[2px] bg-ink/14', index < used && 'bg-accent')} />
            ))}
          </span>
          {used} of {most} {name}
        </span>
      ))}
    </p>
  );
}
