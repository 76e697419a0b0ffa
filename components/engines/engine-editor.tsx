'use client';

import { useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Found } from '#components/engines/found';
import { JsonField } from '#components/engines/json-field';
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
import type { ApiError } from '#client/errors';
import type { EngineEntryWire, ExaminationWire } from '#lib/contract/engine-schemas';

/** An engine as a form: its servers, what it makes, a test picture. */
export function EngineEditor({
  initial,
  found,
  save,
  onSave,
}: {
  initial: EngineEntryWire;
  /** What was found at its first server. */
  found: ExaminationWire | undefined;
  /** What the button says. */
  save: string;
  onSave: (entry: EngineEntryWire) => Promise<void>;
}) {
  const [entry, setEntry] = useState(initial);
  const queries = useQueryClient();
  const saving = useMutation<void, ApiError>({
    mutationFn: () => onSave(entry),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['admin'] }),
  });
  const issues = saving.error?.issues ?? [];
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
        {found && <Found found={found} />}
        <Panel title="What it makes">
          {type === 'comfyui' ? (
            <ServesWorkflows options={options} onChange={options => change({ options })} found={found} />
          ) : (
            <ServesModels entry={entry} found={found} problem={problem} onChange={options => change({ options })} />
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
            hint="Lowercase letters, digits, dashes. It names the engine in lists and in engines.json."
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
            <summary className="w-fit text-sm text-soft underline-offset-4 hover:underline">
              All options as JSON
            </summary>
            <JsonField
              label="Options"
              hint="As in engines.json; docs/engines.md explains them. What is wrong is named by its place."
              value={options}
              error={problem('/options')}
              className="mt-3"
              onChange={options => change({ options })}
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
      <TrialPanel entry={entry} choices={choicesOf(entry, found)} />
    </div>
  );
}

/** The architectures that can be tried: what an entry names, or what its workflows make, the complete ones first. */
function choicesOf({ options }: EngineEntryWire, found: ExaminationWire | undefined): string[] {
  const named = (options.serves as { architecture?: string }[] | undefined)?.flatMap(one => one.architecture ?? []);
  const ready = found?.serves.toSorted((a, b) => a.lacks.length - b.lacks.length) ?? [];
  const all = [...new Set(ready.map(({ architecture }) => architecture))];
  if (!named) return all;
  const listed = all.filter(one => named.includes(one));
  return [...new Set([...listed, ...named])];
}
