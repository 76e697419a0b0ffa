'use client';

import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { CloudOff } from 'lucide-react';
import { Button } from '#components/ui/button';

/** Seconds between two looks at most. */
const LONGEST = 60;
/** Milliseconds that a look may take. */
const PATIENCE = 10_000;

/** How often each did not load: what is there and cannot be shown is not asked for again and again. */
const failures = new Map<string, number>();

/** Stands for a file that did not load. It is gone only when its address says so; else it is loaded again once it can be had. */
export function LostFile({
  url,
  gone,
  tabIndex,
  onBack,
}: {
  url: string;
  /** What stands for one that is gone. */
  gone: ReactNode;
  /** Of its button, in a grid where Tab reaches one tile alone. */
  tabIndex?: number | undefined;
  /** Loads it again. */
  onBack: () => void;
}) {
  const [state, setState] = useState<'unknown' | 'lost' | 'gone'>('unknown');
  const back = useEffectEvent(onBack);
  useEffect(() => {
    const over = new AbortController();
    const { signal } = over;
    const look = async () => {
      for (let times = failures.get(url) ?? 0; ; times++) {
        failures.set(url, times + 1);
        if (times > 0) {
          setState('lost');
          await aWhile(Math.min(2 ** times, LONGEST), signal);
        }
        const status = await statusOf(url, signal);
        if (signal.aborted) return;
        if (status === 404 || status === 410) return setState('gone');
        if (status === 200) return back();
      }
    };
    void look();
    return () => over.abort();
  }, [url]);

  if (state === 'unknown') return null;
  if (state === 'gone') return gone;
  return (
    <div className="absolute inset-0 grid content-center justify-items-center gap-2 px-2 text-center text-xs text-soft">
      <CloudOff className="size-5 @max-[7rem]:hidden" aria-hidden />
      <p>Did not load</p>
      <Button
        size="sm"
        tabIndex={tabIndex}
        onClick={event => {
          // it may stand in a link
          event.preventDefault();
          event.stopPropagation();
          onBack();
        }}
        className="z-10"
      >
        Try again
      </Button>
    </div>
  );
}

/** Until so many seconds are over, or the network is back. */
const aWhile = (seconds: number, signal: AbortSignal): Promise<void> =>
  new Promise(done => {
    setTimeout(done, seconds * 1000);
    addEventListener('online', () => done(), { once: true, signal });
  });

/** What the address of a file answers; 0 when it does not. */
async function statusOf(url: string, signal: AbortSignal): Promise<number> {
  try {
    const patience = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]);
    return (await fetch(url, { method: 'HEAD', cache: 'no-store', signal: patience })).status;
  } catch {
    return 0;
  }
}
