'use client';

import { useMemo, useState, type MouseEvent } from 'react';
import Link from 'next/link';
import { Columns2, FileImage, FolderPlus, Grid3x3, Plus, RotateCcw, Sprout, X } from 'lucide-react';
import { giveUp } from '#components/generations/give-up';
import { settingsHref } from '#components/generations/reuse';
import { dismissSubmission, type Submission } from '#components/generations/visit';
import { costOf, isOver } from '#components/generations/words';
import { ask } from '#components/library/ask';
import { MatrixCell } from '#components/matrix/matrix-cell';
import { MatrixTable } from '#components/matrix/matrix-table';
import type { Matrix } from '#components/matrix/matrices';
import { useContactSheet } from '#components/matrix/use-contact-sheet';
import { useMatrixRequests } from '#components/matrix/use-matrix-requests';
import { useTodaysPrices } from '#components/matrix/use-todays-prices';
import { useTryAgain } from '#components/matrix/use-try-again';
import { COMPARED_AT_ONCE, openCompared } from '#components/viewer/use-view-address';
import { Viewing } from '#components/viewer/viewing';
import { Button } from '#components/ui/button';
import { GemAmount } from '#components/ui/gem-amount';
import { useKeptFocus } from '#components/ui/use-kept-focus';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import type { RequestWire } from '#lib/contract/schemas';
import { isLive } from '#lib/status';
import { sum } from '#lib/sum';

/** A matrix in progress or finished: results under their labels, to open, compare and continue from. */
export function MatrixRun({ matrix, entries }: { matrix: Matrix; entries: readonly CatalogEntry[] }) {
  const { prompt, architecture, across, down, aspects } = matrix;
  const places = useTodaysPrices(useMatrixRequests(matrix), entries);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const sheet = useContactSheet(matrix, places);
  const again = useTryAgain(places);
  const kept = useKeptFocus();
  const keptInPlaces = useKeptFocus<HTMLElement>({ isList: true });
  const requests = useMemo(() => places.flatMap(({ request }) => request ?? []), [places]);
  const done = requests.filter(({ status }) => !isLive(status));
  const hasFile = ({ result }: RequestWire) => result !== null && !isOver(result.expires_at);
  const shown = requests.filter(hasFile);
  const inLine = places.flatMap(({ submission }) => (submission && !submission.refusal ? submission : []));
  const picked = [...chosen].toSorted((a, b) => a - b).flatMap(index => places[index]?.request ?? []);
  const toggle = (index: number) =>
    setChosen(before => new Set(before.has(index) ? [...before].filter(one => one !== index) : [...before, index]));
  const entry = entries.find(({ id }) => id === architecture);

  return (
    <div className="grid gap-6">
      <header className="grid gap-4">
        <div className="grid gap-2">
          <h1 dir="auto" className="font-title line-clamp-3 text-title md:text-head md:leading-tight">
            {prompt}
          </h1>
          <p aria-live="polite" className="figures flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-soft">
            <span>{entry?.name ?? architecture}</span>
            <span>
              {[across, down].flatMap(({ field, title }) => (field.startsWith('words') ? [] : title)).join(' × ')}
            </span>
            <span>
              {done.length} of {places.length}
            </span>
            <GemAmount gems={sum(requests.map(costOf))} />
          </p>
        </div>
        <div {...kept} role="toolbar" aria-label="Matrix" className="flex min-h-9 flex-wrap items-center gap-2">
          {picked.length > 0 ? (
            <>
              <output className="figures text-sm font-medium">{picked.length} selected</output>
              <Button
                size="sm"
                disabled={picked.length < 2 || picked.length > COMPARED_AT_ONCE || !picked.every(hasFile)}
                title={`Two to ${COMPARED_AT_ONCE} with files can be compared`}
                onClick={() => openCompared(picked.map(({ request_id }) => request_id))}
              >
                <Columns2 className="size-4" aria-hidden /> Compare
              </Button>
              {picked.length === 1 && (
                <Button asChild size="sm">
                  <Link href={settingsHref(picked[0]!, true)} prefetch={false}>
                    <Sprout className="size-4" aria-hidden /> Continue from this cell
                  </Link>
                </Button>
              )}
              <Button size="sm" onClick={() => ask({ kind: 'collect', requests: picked })}>
                <FolderPlus className="size-4" aria-hidden /> Collect
              </Button>
              <Button size="sm" tone="ghost" onClick={() => setChosen(new Set())}>
                <X className="size-4" aria-hidden /> Clear
              </Button>
            </>
          ) : (
            <>
              <Button size="sm" disabled={shown.length === 0} busy={sheet.isBusy} onClick={sheet.save}>
                <FileImage className="size-4" aria-hidden /> Contact sheet
              </Button>
              <Button size="sm" disabled={done.length === 0} onClick={() => ask({ kind: 'collect', requests: done })}>
                <FolderPlus className="size-4" aria-hidden /> Collect all
              </Button>
              <Button asChild size="sm">
                <Link href={`/matrix?model=${architecture}`}>
                  <Grid3x3 className="size-4" aria-hidden /> Another matrix
                </Link>
              </Button>
              {again.count > 0 && (
                <Button size="sm" busy={again.isBusy} onClick={single(() => void again.tryAgain())}>
                  {again.isFirst ? (
                    <>
                      <Plus className="size-4" aria-hidden /> Create {again.count}
                    </>
                  ) : (
                    <>
                      <RotateCcw className="size-4" aria-hidden /> Try {again.count} again
                    </>
                  )}
                  <GemAmount gems={again.gems} />
                </Button>
              )}
              {inLine.length > 0 && (
                <Button
                  size="sm"
                  tone="ghost"
                  title="What was accepted goes on"
                  onClick={single(() => inLine.forEach(stop))}
                >
                  <X className="size-4" aria-hidden /> Stop {inLine.length} waiting
                </Button>
              )}
            </>
          )}
        </div>
      </header>
      <MatrixTable across={across} down={down} aspects={aspects} {...keptInPlaces}>
        {index => (
          <MatrixCell
            place={places[index]!}
            name={nameOf(matrix, index)}
            entries={entries}
            columns={across.values.length}
            isChosen={chosen.has(index)}
            onChoose={() => toggle(index)}
          />
        )}
      </MatrixTable>
      <Viewing requests={requests} />
    </div>
  );
}

/** Ignores the second press of a double click, because the buttons that send and stop replace each other. */
const single =
  (act: () => void) =>
  ({ detail }: MouseEvent) =>
    void (detail < 2 && act());

/** Stops a submission. One that may have been accepted stays until that is known. */
const stop = (submission: Submission) => (submission.isUnsure ? giveUp(submission) : dismissSubmission(submission.key));

/** Returns the labels of a place. */
function nameOf({ across, down }: Matrix, index: number): string {
  const columns = across.values.length;
  return `${across.values[index % columns]?.label}, ${down.values[Math.floor(index / columns)]?.label}`;
}
