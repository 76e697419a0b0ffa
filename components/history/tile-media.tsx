'use client';

import { useState } from 'react';
import { CircleSlash, Hourglass, Play, TriangleAlert } from 'lucide-react';
import { Emblem } from '#components/architectures/emblem';
import { architectureIdentity } from '#components/architectures/identity';
import { LiveLine } from '#components/generations/live-line';
import { Seedling } from '#components/generations/seedling';
import { clockOf, isOver } from '#components/history/words';
import type { RequestWire } from '#lib/contract/schemas';
import { isLive } from '#lib/status';

/** What a request looks like in the gallery, whatever its state; fills its place. */
export function TileMedia({ request }: { request: RequestWire }) {
  const { architecture, status, progress, result, error } = request;
  if (isLive(request.status)) {
    return (
      <>
        <Seedling id={architecture} progress={progress ?? 0} />
        <div className="absolute inset-x-0 bottom-0 bg-raised/85 px-2.5 pt-2 pb-1.5">
          <LiveLine request={request} />
        </div>
      </>
    );
  }
  if (status === 'failed')
    return <Note icon={<TriangleAlert className="text-danger" />} text={error?.message ?? 'Failed'} />;
  if (status === 'cancelled') return <Note icon={<CircleSlash />} text="Cancelled" />;
  if (!result || isOver(result.expires_at)) return <Note icon={<Hourglass />} text="No longer kept" />;
  if (result.type === 'audio') return <Sound request={request} peaks={result.peaks} />;
  return (
    <>
      <Picture key={result.url} request={request} />
      {result.type === 'video' && result.duration !== undefined && <Length seconds={result.duration} isPlayed />}
    </>
  );
}

function Note({ icon, text }: { icon: React.ReactNode; text: string }) {
  return (
    <div className="absolute inset-0 grid content-center justify-items-center gap-2 rounded-md border border-dashed border-edge/70 px-4 text-center text-xs text-soft [&_svg]:size-5">
      {icon}
      <p className="line-clamp-3">{text}</p>
    </div>
  );
}

function Picture({ request: { prompt, result, type } }: { request: RequestWire }) {
  const [isGone, setGone] = useState(false);
  if (!result) return null;
  if (isGone) return <Note icon={<Hourglass />} text="No longer kept" />;
  const look = 'absolute inset-0 size-full object-cover';
  // results from before there were previews
  if (!result.preview_url && type === 'video') {
    return (
      <video
        src={result.url}
        muted
        playsInline
        preload="metadata"
        aria-hidden
        className={look}
        onError={() => setGone(true)}
      />
    );
  }
  return (
    // oxlint-disable-next-line nextjs/no-img-element -- previews are made once, at the size of a tile
    <img
      src={result.preview_url ?? result.url}
      alt={prompt}
      decoding="async"
      className={look}
      onError={() => setGone(true)}
    />
  );
}

function Length({ seconds, isPlayed }: { seconds: number; isPlayed?: boolean }) {
  return (
    <span className="figures absolute right-2 bottom-2 flex items-center gap-1 rounded-full bg-[#15110ec7] px-2 py-0.5 text-xs text-[#f2eadd]">
      {isPlayed && <Play className="size-3 fill-current" aria-hidden />}
      <span className="sr-only">Length </span>
      {clockOf(seconds)}
    </span>
  );
}

const FLAT = Array.from({ length: 64 }, () => 6);

function Sound({
  request: { architecture, result },
  peaks = FLAT,
}: {
  request: RequestWire;
  peaks?: number[] | undefined;
}) {
  const { color } = architectureIdentity(architecture);
  return (
    <div
      className="absolute inset-0 grid content-center justify-items-center gap-4 px-4"
      style={{
        background: `linear-gradient(160deg, color-mix(in srgb, ${color} 26%, var(--color-sunk)), var(--color-sunk))`,
      }}
    >
      <Emblem id={architecture} className="size-12" />
      <svg viewBox={`0 0 ${peaks.length * 4} 100`} preserveAspectRatio="none" className="h-14 w-full" aria-hidden>
        {peaks.map((peak, index) => {
          const height = Math.max(4, peak);
          return (
            <rect
              key={index}
              x={index * 4 + 0.8}
              y={50 - height / 2}
              width="2.4"
              height={height}
              rx="1.2"
              fill={color}
            />
          );
        })}
      </svg>
      {result?.duration !== undefined && <Length seconds={result.duration} isPlayed />}
    </div>
  );
}
