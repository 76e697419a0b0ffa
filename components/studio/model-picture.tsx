'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { Emblem } from '#components/architectures/emblem';
import { isOver } from '#components/generations/words';
import { useExample } from '#components/library/use-examples';
import { cn } from '#components/ui/cn';
import { useIsListening } from '#components/ui/use-is-listening';
import { historyQuery } from '#lib/client/history-queries';

/** Shows an example of a model, else the account's newest loaded result from it, else its emblem. */
export function ModelPicture({ id, className }: { id: string; className: string }) {
  const example = useExample(id)?.result.preview_url;
  const newest = useNewest(id);
  // the server renders the emblem, and hydration must match that, even if an image is known by then
  const isListening = useIsListening();
  const url = example ?? newest;
  if (!url || !isListening) return <Emblem id={id} className={className} />;
  return (
    <span className={cn('relative block shrink-0', className)}>
      {/* oxlint-disable-next-line nextjs/no-img-element -- the preview is already stored at the size of a tile */}
      <img src={url} alt="" loading="lazy" className="size-full rounded-md object-cover" />
      <Emblem id={id} className="absolute -right-1.5 -bottom-1.5 size-1/2 drop-shadow-sm" />
    </span>
  );
}

/** Reads only what the stage has loaded and makes no request. */
function useNewest(id: string): string | undefined {
  const { data } = useInfiniteQuery({
    ...historyQuery({}),
    enabled: false,
    select: ({ pages }) =>
      pages
        .flatMap(page => page.data)
        .find(({ architecture, result }) => architecture === id && result?.preview_url && !isOver(result.expires_at))
        ?.result?.preview_url,
  });
  return data;
}
