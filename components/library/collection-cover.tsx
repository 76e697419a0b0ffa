'use client';

import { Images } from 'lucide-react';
import { RequestMedia } from '#components/generations/request-media';
import type { RequestWire } from '#lib/contract/schemas';

/** Cover of a collection, or an icon where there is none. Fills its container. */
export function CollectionCover({ cover, sizes }: { cover: RequestWire | null; sizes: string }) {
  if (cover) return <RequestMedia request={cover} sizes={sizes} />;
  return (
    <span className="absolute inset-0 grid place-items-center text-faint">
      <Images className="size-1/3 max-w-10" strokeWidth={1.5} aria-hidden />
    </span>
  );
}
