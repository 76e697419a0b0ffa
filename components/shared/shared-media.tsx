'use client';

import { RequestMedia } from '#components/generations/request-media';
import type { SharedItemWire } from '#lib/contract/library-schemas';

/** Media of a shared item; fills its container. A sound and a video have controls. */
export function SharedMedia({ item, sizes, isFirst }: { item: SharedItemWire; sizes: string; isFirst?: boolean }) {
  const { result, type, prompt, architecture } = item;
  if (type === 'video')
    return (
      // oxlint-disable-next-line jsx-a11y/media-has-caption -- generated videos have no captions
      <video
        src={result.url}
        poster={result.preview_url}
        aria-label={prompt ?? 'What is shared'}
        controls
        loop
        playsInline
        preload={isFirst ? 'metadata' : 'none'}
        className="absolute inset-0 size-full object-contain"
      />
    );
  const request = {
    architecture: architecture ?? '',
    status: 'completed' as const,
    prompt: prompt ?? 'What is shared',
    billing: { mode: 'gems' as const, gems_charged: 0 },
    error: null,
    result,
    type,
  };
  return <RequestMedia request={request} sizes={sizes} isFirst={isFirst} isLarge />;
}
