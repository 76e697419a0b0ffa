'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { Emblem } from '#components/architectures/emblem';
import { isOver } from '#components/generations/words';
import { useExample } from '#components/library/use-examples';
import { cn } from '#components/ui/cn';
import { useIsListening } from '#components/ui/use-is-listening';
import { historyQuery } from '#lib/client/history-queries';

/** What a model makes: its example, else the newest of the account's own work with it that the page knows of, else its emblem. */
export function ModelPicture({ id, className }: { id: string; className: string }) {
  const example = useExample(id)?.result.preview_url;
  const newest = useNewest(id);
  // the server draws none, and what it drew comes to life as it is, though a picture may be known by then
  const isListening = useIsListening();
  const url = example ?? newest;
  if (!url || !isListening) return <Emblem id={id} className={className} />;
  return (
    <span className={cn('relative block shrink-0', className)}>
      {/* oxlint-disable-next-line nextjs/no-img-element -- the still is made once, at the size of a tile */}
      <img src={url} alt="" loading="lazy" className="size-full rounded-md object-cover" />
      <Emblem id={id} className="absolute -right-1.5 -bottom-1.5 size-1/2 drop-shadow-sm" />
    </span>
  );
}

/** Of what the stage has loaded; nothing is asked for. */
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
