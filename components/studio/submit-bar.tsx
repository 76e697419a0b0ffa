'use client';

import { useId, type ReactNode } from 'react';
import { Bought } from '#components/studio/bought';
import type { Purse } from '#components/studio/purse';
import { Button } from '#components/ui/button';
import { GemAmount } from '#components/ui/gem-amount';
import { SegmentedControl } from '#components/ui/segmented-control';

const BATCHES = ['1', '2', '3', '4'];

/** The price, the balance after it, and the submit button, with the reason when it is disabled. */
export function SubmitBar({
  gems,
  count,
  onCount,
  purse,
  blocked,
  message,
  isBusy,
  short,
}: {
  /** Price of one request, of which `count` are submitted. */
  gems: number;
  count: number;
  onCount: (count: number) => void;
  purse: Purse | undefined;
  blocked: string | null;
  /** Another message to show, such as a refusal that concerns no field. */
  message?: string | undefined;
  isBusy: boolean;
  /** Options shown when the balance is insufficient. */
  short: ReactNode;
}) {
  const noteId = useId();
  const total = gems * count;
  return (
    // the controls come last and wrap by a fixed width, so that no price or note moves them under the pointer
    <div className="grid gap-2.5">
      <p id={noteId} aria-live="polite" className="figures min-h-4.5 text-xs text-faint">
        {message ? (
          <span className="font-medium text-danger">{message}</span>
        ) : (
          (blocked ?? <After purse={purse} total={total} count={count} />)
        )}
      </p>
      {short}
      <div className="flex flex-wrap items-stretch gap-2">
        <SegmentedControl
          label="How many"
          value={String(count)}
          segments={BATCHES.map(value => ({ value, label: value }))}
          onValueChange={value => onCount(Number(value))}
          className="flex-nowrap [&_label]:px-2.5"
        />
        <Button
          type="submit"
          tone="primary"
          size="lg"
          disabled={blocked !== null}
          busy={isBusy}
          aria-describedby={noteId}
          className="min-w-0 grow basis-34 flex-wrap content-center gap-y-0 px-2 leading-5"
        >
          Create
          <GemAmount gems={total} className="opacity-90" />
        </Button>
      </div>
    </div>
  );
}

function After({ purse, total, count }: { purse: Purse | undefined; total: number; count: number }) {
  if (!purse) return null;
  return (
    <>
      {count > 1 && `${count} seeds in a row. `}
      <Bought gems={purse.bought} />
      <span className="whitespace-nowrap">
        <GemAmount gems={purse.balance - total} className="text-soft" /> left after
      </span>
      <span className="pointer-coarse:hidden"> · Ctrl Enter</span>
    </>
  );
}
