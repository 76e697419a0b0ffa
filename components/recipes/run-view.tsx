'use client';

import { Check, CircleDashed, CircleSlash, TriangleAlert } from 'lucide-react';
import { shapeOf } from '#components/generations/shape-of';
import { CancelRun, RetryRun } from '#components/recipes/run-acts';
import { useIsThere } from '#components/recipes/use-is-there';
import { Tile } from '#components/stage/tile';
import { GemAmount } from '#components/ui/gem-amount';
import { Moment } from '#components/ui/moment';
import { Progress } from '#components/ui/progress';
import { Spinner } from '#components/ui/spinner';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import type { RunWire } from '#lib/contract/recipe-schemas';

/** A run: the state and results of each step, and the acts on the run. */
export function RunView({ run, entries }: { run: RunWire; entries: readonly CatalogEntry[] }) {
  const { run_id, status, steps, error, billing } = run;
  return (
    <section aria-label={`Run of ${run.name}`} data-run={run_id} className="grid grid-cols-1 gap-4">
      <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 text-sm text-soft">
        <p className="flex items-baseline gap-3">
          <Moment at={run.created_at} />
          <span className="flex items-baseline gap-1">
            <GemAmount gems={billing.gems_charged - billing.gems_refunded} /> of{' '}
            <GemAmount gems={billing.gems_estimated} />
          </span>
        </p>
        {status === 'running' && <CancelRun run={run} />}
        {(status === 'failed' || status === 'cancelled') && <RetryRun run={run} />}
      </header>
      {error && (
        <p role="alert" className="flex gap-2 text-sm font-medium text-danger">
          <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden /> {error.message}
        </p>
      )}
      <ol className="grid grid-cols-1 gap-5">
        {steps.map(step => (
          <Step key={step.id} step={step} entries={entries} />
        ))}
      </ol>
    </section>
  );
}

function Step({ step, entries }: { step: RunWire['steps'][number]; entries: readonly CatalogEntry[] }) {
  const { name, status, completed, count, progress } = step;
  const requests = step.requests.filter(useIsThere());
  const shape = requests[0] ? (shapeOf(requests[0]) ?? SOUND) : 1;
  // requests that are still to be sent have their places, to prevent layout shift
  const places = status === 'running' ? Math.max(count, requests.length) : requests.length;
  return (
    <li className="grid grid-cols-1 gap-2">
      <div className="flex items-center gap-2 text-sm">
        {ICONS[status]}
        <h2 className="font-medium">{name}</h2>
        <span className="figures whitespace-nowrap text-faint">
          {WORDS[status]}
          {count > 1 && `, ${completed} of ${count}`}
        </span>
        {status === 'running' && <Progress label={`Progress of ${name}`} value={progress} className="max-w-40 grow" />}
      </div>
      {requests.length > 0 && (
        <div
          className="grid grid-cols-[repeat(auto-fit,minmax(min(17rem,46%),1fr))] gap-1"
          // few results are shown larger, but no higher than the viewport
          style={{ maxWidth: `calc(${places} * min(36rem, ${shape} * 75dvh))` }}
        >
          {requests.map(request => (
            <div
              key={request.request_id}
              style={{ aspectRatio: shapeOf(request) ?? SOUND }}
              className="grid overflow-hidden rounded-md"
            >
              <Tile
                request={request}
                entries={entries}
                sizes={`(width >= 64rem) ${places > 2 ? 20 : 36}rem, ${places > 1 ? 46 : 92}vw`}
                isFirst={false}
              />
            </div>
          ))}
          {Array.from({ length: places - requests.length }, (_, index) => (
            <div key={index} aria-hidden style={{ aspectRatio: shape }} className="rounded-md bg-sunk" />
          ))}
        </div>
      )}
    </li>
  );
}

const ICONS = {
  waiting: <CircleDashed className="size-4 text-faint" aria-hidden />,
  running: <Spinner className="size-4" />,
  completed: <Check className="size-4 text-accent-ink" aria-hidden />,
  failed: <TriangleAlert className="size-4 text-danger" aria-hidden />,
  cancelled: <CircleSlash className="size-4 text-faint" aria-hidden />,
};
const WORDS = {
  waiting: 'waits',
  running: 'in progress',
  completed: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
};

/** Aspect ratio of the place of audio, which has none of its own. */
const SOUND = 1.5;
