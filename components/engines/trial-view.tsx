'use client';

import type { ReactNode } from 'react';
import { Alert } from '#components/ui/alert';
import { Button } from '#components/ui/button';
import { formatBytes } from '#components/ui/format-bytes';
import { Progress } from '#components/ui/progress';
import type { TrialView as View } from '#components/engines/use-trial';

/** Advice for common failures, by error code. */
const ADVICE: Record<string, ReactNode> = {
  model_missing: 'Check the name of the model, or put its file where the server looks for it. Then try again.',
  out_of_memory: 'Try a smaller size, or a lighter variant of the model.',
  engine_unavailable: 'Check that it is running, that the address is right, and whether it needs a secret.',
  invalid_input: 'The server did not accept the job. Its answer is above.',
  timeout: 'Nothing was heard of it for too long.',
};

/** Progress of a trial, and its result. */
export function TrialView({ state, frame, onStop }: View & { onStop: () => void }) {
  if (state.state === 'failed')
    return (
      <Alert tone="bad" title="It did not work.">
        <p className="wrap-anywhere">{state.message}</p>
        {ADVICE[state.code] && <p className="mt-1">{ADVICE[state.code]}</p>}
      </Alert>
    );
  if (state.state === 'succeeded') {
    const { media, seconds } = state;
    const facts = [
      media.width > 0 && `${media.width} × ${media.height}`,
      media.duration !== null && `${media.duration.toFixed(1)} s long`,
      `made in ${seconds.toFixed(1)} s`,
    ];
    return (
      <figure className="grid gap-2">
        <Media {...media} />
        <figcaption className="figures text-xs text-soft">
          <output>It works: {facts.filter(Boolean).join(', ')}.</output>
        </figcaption>
      </figure>
    );
  }
  const isQueued = state.state === 'queued';
  const progress = isQueued ? null : state.progress;
  return (
    <div className="grid gap-3">
      <div className="relative grid aspect-square max-h-96 place-items-center overflow-hidden rounded-md bg-sunk">
        {frame ? (
          // oxlint-disable-next-line nextjs/no-img-element -- a preview frame of a few bytes
          <img src={frame} alt="" className="size-full scale-105 object-cover blur-[6px] transition-[filter]" />
        ) : (
          <p className="text-sm text-faint">{isQueued ? 'Waiting for its turn' : 'Loading the model, or drawing'}</p>
        )}
      </div>
      <Progress label="Test" value={progress ?? undefined} />
      <div className="flex items-center justify-between gap-4">
        <output className="figures text-xs text-soft">
          {isQueued ? 'Queued' : progress === null ? 'In progress' : `${Math.round(progress * 100)} %`}
        </output>
        <Button size="sm" tone="ghost" onClick={onStop}>
          Stop
        </Button>
      </div>
    </div>
  );
}

function Media({ url, content_type, bytes }: { url: string | null; content_type: string; bytes: number }) {
  if (url === null)
    return (
      <p className="rounded-md bg-sunk p-6 text-center text-sm text-soft">
        {formatBytes(bytes)}, too large to be shown here.
      </p>
    );
  if (content_type.startsWith('image/'))
    // oxlint-disable-next-line nextjs/no-img-element -- the result of a test is not stored
    return <img src={url} alt="The result of the test" className="animate-develop w-full rounded-md" />;
  if (content_type.startsWith('audio/'))
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- generated audio has no captions
    return <audio src={url} controls aria-label="Test audio" className="w-full" />;
  return (
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- generated videos have no captions
    <video src={url} controls loop playsInline aria-label="Test video" className="animate-develop w-full rounded-md" />
  );
}
