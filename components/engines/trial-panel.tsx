'use client';

import { useState } from 'react';
import { isHosted } from '#components/engines/engine-types';
import { TrialView } from '#components/engines/trial-view';
import { useTrial } from '#components/engines/use-trial';
import { Button } from '#components/ui/button';
import { Field } from '#components/ui/field';
import { Select } from '#components/ui/select';
import { Textarea } from '#components/ui/textarea';
import { useKeptFocus } from '#components/ui/use-kept-focus';
import type { EngineEntryWire, WorkflowFilesWire } from '#lib/contract/engine-schemas';

/** Tests an engine with the current values of the form, saved or not. A test costs no gems and is not kept. */
export function TrialPanel({
  entry,
  savedAs,
  choices,
  files,
  otherwise = 'First choose what it makes.',
}: {
  entry: EngineEntryWire;
  /** Id under which the engine is saved now; the form may change it. */
  savedAs?: string;
  /** Architectures that can be tested. */
  choices: readonly string[];
  /** A workflow that is not saved yet. */
  files?: WorkflowFilesWire;
  /** Text shown while nothing can be tested. */
  otherwise?: string | undefined;
}) {
  const [chosen, setChosen] = useState('');
  const [prompt, setPrompt] = useState('');
  const trial = useTrial();
  // the stop button replaces the start button
  const kept = useKeptFocus();
  const architecture = choices.includes(chosen) ? chosen : choices[0];
  return (
    <section
      aria-labelledby="trial"
      className="grid content-start gap-5 rounded-lg border bg-raised p-5 sm:p-6 lg:sticky lg:top-24 lg:self-start"
    >
      <div className="grid gap-1">
        <h3 id="trial" className="font-title text-title">
          Test it
        </h3>
        <p className="text-sm text-soft">
          Tests the form as it is, before you save it. It costs no gems and is not kept.
          {isHosted(entry.type) && ' The account there is charged.'}
        </p>
      </div>
      {choices.length > 1 && (
        <Field label="What">
          <Select
            value={architecture ?? ''}
            options={choices.map(id => ({ value: id, label: id }))}
            onChange={event => setChosen(event.target.value)}
          />
        </Field>
      )}
      <Field label="Prompt" aside="optional">
        <Textarea
          rows={2}
          value={prompt}
          placeholder="A lighthouse on a cliff at dusk"
          onChange={event => setPrompt(event.target.value)}
        />
      </Field>
      <div {...kept} className="grid grid-cols-1 gap-5">
        {trial.view && <TrialView {...trial.view} onStop={trial.stop} />}
        {!trial.isRunning && (
          <Button
            className="justify-self-start"
            disabled={architecture === undefined}
            onClick={() =>
              void trial.start({
                engine: entry,
                ...(savedAs && { engine_id: savedAs }),
                architecture: architecture!,
                body: prompt.trim() ? { prompt: prompt.trim() } : {},
                ...(files && { files }),
              })
            }
          >
            {trial.view ? 'Test again' : 'Run a test'}
          </Button>
        )}
      </div>
      {architecture === undefined && <p className="text-xs text-faint">{otherwise}</p>}
    </section>
  );
}
