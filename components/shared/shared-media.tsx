'use client';

import { RequestMedia } from '#components/generations/request-media';
import type { SharedItemWire } from '#lib/contract/library-schemas';

/** Media of a shared item. */
export function SharedMedia({ item, sizes, isFirst }: { item: SharedItemWire; sizes: string; isFirst?: boolean }) {
  const { result, type, prompt, architecture } = item;
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
