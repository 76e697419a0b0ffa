'use client';

import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { CloudOff } from 'lucide-react';
import { Button } from '#components/ui/button';

/** Maximum pause between two checks, in seconds. */
const LONGEST = 60;
/** Timeout of a check, in milliseconds. */
const PATIENCE = 10_000;

/** Checks made so far, by URL: a file that exists but cannot be displayed is requested less and less often. */
const failures = new Map<string, number>();

/** Replaces a file that did not load. If its URL says so, it is deleted; otherwise it is reloaded when available. */
export function LostFile({
  url,
  gone,
  tabIndex,
  onBack,
}: {
  url: string;
  /** Shown if the file is deleted. */
  gone: ReactNode;
  /** `tabIndex` of its button, for grids in which Tab reaches only one tile. */
  tabIndex?: number | undefined;
  /** Loads the file again. */
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
          // the button may be inside a link
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

/** Resolves after `seconds`, or when the network is back. */
const aWhile = (seconds: number, signal: AbortSignal) =>
  new Promise(done => {
    const over = AbortSignal.any([signal, AbortSignal.timeout(seconds * 1000)]);
    over.onabort = done;
    addEventListener('online', done, { once: true, signal: over });
  });

/** Returns the HTTP status of the URL of a file; 0 if there is no response. */
async function statusOf(url: string, signal: AbortSignal): Promise<number> {
  try {
    const patience = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]);
    return (await fetch(url, { method: 'HEAD', cache: 'no-store', signal: patience })).status;
  } catch {
    return 0;
  }
}
