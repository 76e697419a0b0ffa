'use client';

import { useState, type ReactNode } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { JsonField, useJsonFaults } from '#components/engines/json-field';
import { problemIn } from '#components/engines/problem';
import { ServersField } from '#components/engines/servers-field';
import { ServesModels } from '#components/engines/serves-models';
import { ServesWorkflows } from '#components/engines/serves-workflows';
import { TrialPanel } from '#components/engines/trial-panel';
import { typeName } from '#components/engines/engine-types';
import { Alert } from '#components/ui/alert';
import { Button } from '#components/ui/button';
import { Field } from '#components/ui/field';
import { Input } from '#components/ui/input';
import { Panel } from '#components/ui/panel';
import { ApiError } from '#client/errors';
import type { EngineEntryWire, ExaminationWire } from '#lib/contract/engine-schemas';

/** Form for an engine: its servers, what it makes, and a test. */
export function EngineEditor({
  initial,
  found,
  there,
  save,
  onSave,
}: {
  initial: EngineEntryWire;
  /** What was found at the first server; `there` shows it. */
  found: ExaminationWire | undefined;
  there: ReactNode;
  /** Label of the save button. */
  save: string;
  onSave: (entry: EngineEntryWire) => Promise<void>;
}) {
  const [entry, setEntry] = useState(initial);
  const queries = useQueryClient();
  const { fault, onFault } = useJsonFaults();
  const saving = useMutation({
    mutationFn: async () => {
      if (fault) throw new Error(`It was not saved. ${fault}`);
      await onSave(entry);
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['admin'] }),
  });
  const issues = (saving.error instanceof ApiError && saving.error.issues) || [];
  const problem = problemIn(issues);
  const change = (part: Partial<EngineEntryWire>) => setEntry(now => ({ ...now, ...part }));
  const { type, options } = entry;
  return (
    <div className="grid grid-cols-1 gap-x-14 gap-y-10 lg:grid-cols-[minmax(0,1fr)_22rem] xl:grid-cols-[minmax(0,1fr)_26rem]">
      <form
        className="grid grid-cols-1 content-start gap-10"
        noValidate
        onSubmit={event => {
          event.preventDefault();
          saving.mutate();
        }}
      >
        {there}
        <Panel title="What it makes">
          {type === 'comfyui' ? (
            <ServesWorkflows options={options} onChange={options => change({ options })} found={found} />
          ) : (
            <ServesModels
              entry={entry}
              found={found}
              problem={problem}
              onChange={options => change({ options })}
              onFault={onFault}
            />
          )}
        </Panel>
        <Panel title="Servers" aside={<p className="text-sm text-faint">{typeName(type)}</p>}>
          <ServersField
            servers={entry.servers}
            problem={problem}
            onChange={servers => change({ servers })}
            known={initial.servers}
          />
          <Field
            label="Name"
            hint="Lowercase letters, digits, dashes. The name of the engine in lists and in engines.json."
            className="max-w-sm"
            error={problem('/id')}
          >
            <Input
              value={entry.id}
              autoComplete="off"
              spellCheck={false}
              onChange={event => change({ id: event.target.value })}
            />
          </Field>
          <details open={problem('/options') ? true : undefined}>
            <summary className="finger-line w-fit text-sm text-soft underline-offset-4 hover:underline">
              All options as JSON
            </summary>
            <JsonField
              label="Options"
              hint="As in engines.json; docs/engines.md explains them. Errors say where they are."
              value={options}
              error={problem('/options')}
              className="mt-3"
              onChange={options => change({ options })}
              onFault={onFault}
            />
          </details>
        </Panel>
        <div className="grid gap-4 border-t pt-6">
          {saving.error && (
            <Alert tone="bad" title={issues.length > 1 ? 'It was not saved.' : saving.error.message}>
              {issues.length > 1 && (
                <ul className="grid gap-1">
                  {issues.map(({ path, message }) => (
                    <li key={path + message}>{message}</li>
                  ))}
                </ul>
              )}
            </Alert>
          )}
          <Button type="submit" tone="primary" size="lg" busy={saving.isPending} className="justify-self-start">
            {save}
          </Button>
        </div>
      </form>
      <TrialPanel
        entry={entry}
        savedAs={initial.id}
        choices={fault ? [] : choicesOf(entry, found)}
        otherwise={whyNone(entry, found, fault)}
      />
    </div>
  );
}

/** Returns why no architecture can be tested; undefined where none is chosen. */
function whyNone({ type, options }: EngineEntryWire, found: ExaminationWire | undefined, fault: string | undefined) {
  if (fault) return 'Correct the JSON first.';
  const isAll = type === 'comfyui' && !options.serves;
  return isAll && !found ? 'What it can make is known once its server has answered.' : undefined;
}

/** Returns the architectures that can be tested: those the entry names, or those it can make, complete ones first. */
function choicesOf({ options }: EngineEntryWire, found: ExaminationWire | undefined): string[] {
  const named = (options.serves as { architecture?: string }[] | undefined)?.flatMap(one => one.architecture ?? []);
  const ready = found?.serves.toSorted((a, b) => a.lacks.length - b.lacks.length) ?? [];
  const all = [...new Set(ready.map(({ architecture }) => architecture))];
  if (!named) return all;
  const listed = all.filter(one => named.includes(one));
  return [...new Set([...listed, ...named])];
}
