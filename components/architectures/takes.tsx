import { AtSign, Film, Images, PanelLeft, PanelRight } from 'lucide-react';
import { cn } from '#components/ui/cn';
import { MENTION_KINDS } from '#lib/catalog/architecture';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

/** Inputs that an architecture takes besides a prompt, in at least one of its variants. */
export function Takes({ entry, className }: { entry: CatalogEntry; className: string }) {
  const { first_frame, last_frame, references } = entry.image_inputs;
  const most = Math.max(entry.max_images, ...Object.values(entry.max_images_by_model));
  const takes = [
    { is: first_frame, Icon: PanelLeft, text: 'first frame' },
    { is: last_frame, Icon: PanelRight, text: 'last frame' },
    { is: references, Icon: Images, text: most > 1 ? `up to ${most} images` : 'an image' },
    { is: entry.video_inputs, Icon: Film, text: 'source video' },
    { is: MENTION_KINDS.some(kind => entry.mentions[kind].length > 0), Icon: AtSign, text: 'mentions' },
  ].filter(({ is }) => is);
  if (takes.length === 0) return null;
  return (
    <ul aria-label="Takes besides a prompt" className={cn('flex flex-wrap gap-y-1 text-xs text-faint', className)}>
      {takes.map(({ Icon, text }) => (
        <li key={text} className="inline-flex items-center gap-1">
          <Icon className="size-3.5" aria-hidden />
          {text}
        </li>
      ))}
    </ul>
  );
}
