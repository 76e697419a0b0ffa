'use client';

import { useState } from 'react';
import { useRouter } from 'next/navigation';
import { useQuery } from '@tanstack/react-query';
import { randomKey } from '#client/random-key';
import { usePress } from '#components/generations/use-press';
import { affordablePlaces } from '#components/matrix/affordable-places';
import { axesFor, cellsOf, usualAxes, type Axis } from '#components/matrix/axes';
import { AxisField } from '#components/matrix/axis-field';
import { EarlierMatrices } from '#components/matrix/earlier-matrices';
import { addMatrix, placeIn } from '#components/matrix/matrices';
import { MatrixTable } from '#components/matrix/matrix-table';
import { useCellPrices } from '#components/matrix/use-cell-prices';
import { awaiting, tooDear } from '#components/studio/blocked-by';
import { Bought } from '#components/studio/bought';
import { aspectOf, changedFields } from '#components/studio/config';
import { changeDraft, useDraft } from '#components/studio/drafts';
import { fitModel } from '#components/studio/fit-model';
import { ModelPicture } from '#components/studio/model-picture';
import { purseFor } from '#components/studio/purse';
import { drawSeed } from '#components/studio/seeds';
import { ShortOfGems } from '#components/studio/short-of-gems';
import { usePendingUploads } from '#components/studio/use-media-uploads';
import { Alert } from '#components/ui/alert';
import { BackLink } from '#components/ui/back-link';
import { Button } from '#components/ui/button';
import { Field } from '#components/ui/field';
import { GemAmount } from '#components/ui/gem-amount';
import { Textarea } from '#components/ui/textarea';
import { gemsQuery } from '#lib/client/account-queries';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import { sum } from '#lib/sum';

/** Shows the matrix of a draft and its price before anything is created. */
export function MatrixBuilder({ entry, entries }: { entry: CatalogEntry; entries: readonly CatalogEntry[] }) {
  const router = useRouter();
  const press = usePress();
  const { data: gems } = useQuery(gemsQuery);
  const { now: config } = useDraft(entry);
  const awaited = awaiting(usePendingUploads(entry.id));
  const [seed] = useState(drawSeed);
  const [chosen, setChosen] = useState<{ across?: Axis; down?: Axis }>({});
  const [isSent, setSent] = useState(false);

  const axes = axesFor(entry, entries, config, seed);
  const usual = usualAxes(axes);
  const across = stillThere(chosen.across, axes) ?? usual.find(({ field }) => field !== chosen.down?.field)!;
  const down = stillThere(chosen.down, axes) ?? usual.find(({ field }) => field !== across.field)!;
  const draft = { entry, entries, config, seed };
  const cells = cellsOf(draft, across, down).flat();
  const { prices, issue } = useCellPrices(cells);
  const total = sum(prices);
  const prompt = String(config.prompt ?? '');
  const purse = purseFor(gems, prices);
  const isShort = purse !== undefined && purse.balance < total;
  const blocked =
    awaited ??
    issue ??
    (prompt.trim() === '' ? 'Write a prompt.' : undefined) ??
    (isShort ? tooDear(total, purse.balance) : undefined);

  // choosing the axis of the other side swaps the two
  const choose = (side: 'across' | 'down') => (axis: Axis) => {
    const [other, now, mine] =
      side === 'across' ? (['down', down, across] as const) : (['across', across, down] as const);
    setChosen({ across, down, [side]: axis, ...(now.field === axis.field && { [other]: mine }) });
  };

  function create() {
    setSent(true);
    const id = randomKey();
    const aspects = cells.map(cell => aspectOf(cell.entry, cell.config));
    const submissions = cells.map((cell, index) => ({
      architecture: cell.entry.id,
      type: cell.entry.type,
      body: { ...changedFields(cell.entry, cell.config), seed: cell.config.seed },
      gems: prices[index]!,
      aspect: aspects[index]!,
      place: placeIn(id, index),
      key: randomKey(),
    }));
    const left = Object.fromEntries(submissions.map(one => [one.place, one]));
    addMatrix({ id, architecture: entry.id, prompt, across, down, aspects, left });
    // each row is sent as one press, and so forms one group on the stage
    const columns = across.values.length;
    for (let at = 0; at < submissions.length; at += columns) void press(submissions.slice(at, at + columns));
    router.push(`/matrix?run=${id}`);
  }

  return (
    <div className="grid grid-cols-1 gap-x-12 gap-y-8 lg:grid-cols-[22rem_minmax(0,1fr)]">
      <div className="grid grid-cols-1 content-start gap-6">
        <header className="grid gap-3">
          <BackLink href={`/create/${entry.id}`}>Create</BackLink>
          <h1 className="font-title text-head">Matrix</h1>
          <p className="flex items-center gap-3 text-sm text-soft">
            <ModelPicture id={entry.id} className="size-9" />
            Vary two settings of {entry.name}; the others stay as they are.
          </p>
        </header>
        {/* only around the prompt: otherwise Enter on a value would submit the form */}
        <form
          id="matrix"
          onSubmit={event => {
            event.preventDefault();
            create();
          }}
        >
          <Field label="Prompt" hint="Write {red|blue} to compare words.">
            <Textarea
              dir="auto"
              maxLength={100_000}
              value={prompt}
              onChange={({ target }) => changeDraft(entry, now => ({ ...now, prompt: target.value }))}
            />
          </Field>
        </form>
        <AxisField label="Across" axis={across} axes={axes} onChange={choose('across')} />
        <AxisField label="Down" axis={down} axes={axes} onChange={choose('down')} />
        <div className="grid grid-cols-1 gap-2.5">
          <Button
            type="submit"
            form="matrix"
            tone="primary"
            size="lg"
            disabled={blocked !== undefined}
            busy={isSent}
            aria-describedby="matrix-note"
          >
            Create {cells.length}
            <GemAmount gems={total} className="opacity-90" />
          </Button>
          <p id="matrix-note" aria-live="polite" className="figures min-h-4.5 text-xs text-faint">
            {blocked ?? (
              <>
                {purse && (
                  <>
                    <Bought gems={purse.bought} />
                    <GemAmount gems={purse.balance - total} className="text-soft" /> left after.{' '}
                  </>
                )}
                What is over your limit waits its turn, even after a reload.
              </>
            )}
          </p>
          {isShort && (
            <ShortOfGems
              affordable={affordablePlaces({
                draft,
                sides: { across, down },
                prices,
                balance: purse.balance,
                onSides: setChosen,
                setField: (name, value) => changeDraft(entry, now => fitModel(entry, now, { ...now, [name]: value })),
              })}
            />
          )}
        </div>
      </div>
      <div className="grid min-w-0 content-start gap-10">
        <MatrixTable across={across} down={down} aspects={cells.map(cell => aspectOf(cell.entry, cell.config))}>
          {index => (
            <div className="absolute inset-0 grid content-center justify-items-center gap-1 rounded-md border border-dashed border-edge/60 p-2 text-center text-xs text-faint">
              <GemAmount gems={prices[index]!} />
              {cells[index]!.dropped.length > 0 && <span>{cells[index]!.dropped.join(', ')} at its default</span>}
            </div>
          )}
        </MatrixTable>
        {cells.some(({ dropped }) => dropped.length > 0) && (
          <Alert title="Not every cell takes every setting.">What a model does not take stays at its default.</Alert>
        )}
        <EarlierMatrices />
      </div>
    </div>
  );
}

/** Returns the chosen axis with those of its values that the draft still has. */
function stillThere(chosen: Axis | undefined, axes: readonly Axis[]): Axis | undefined {
  const axis = axes.find(({ field }) => field === chosen?.field);
  const values = axis?.values.filter(({ value }) => chosen?.values.some(one => one.value === value));
  return axis && values?.length ? { ...axis, values } : undefined;
}
