'use client';

import { useState } from 'react';
import { Alert } from '#components/ui/alert';
import { Field } from '#components/ui/field';
import { Input } from '#components/ui/input';
import { Panel } from '#components/ui/panel';
import type { BuiltWorkflowWire, ImportChoicesWire } from '#lib/contract/engine-schemas';

/** Name and id of the workflow. The id follows the name until the operator edits the id. */
export function NameFields({
  choices,
  replaces,
  idOf,
  onChange,
}: {
  choices: ImportChoicesWire;
  replaces: BuiltWorkflowWire['replaces'];
  idOf: (name: string) => string;
  onChange: (part: Partial<ImportChoicesWire>) => void;
}) {
  const [isTyped, setTyped] = useState(false);
  return (
    <Panel title="Name">
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Name" hint="As people see it.">
          <Input
            value={choices.name}
            maxLength={80}
            onChange={event => {
              const name = event.target.value;
              onChange({ name, ...(!isTyped && { id: idOf(name) }) });
            }}
          />
        </Field>
        <Field
          label="Id"
          hint={
            <>
              In the API: <code className="font-mono">POST /v1/{choices.id}/generate</code>
            </>
          }
        >
          <Input
            value={choices.id}
            spellCheck={false}
            autoComplete="off"
            onChange={event => {
              setTyped(true);
              onChange({ id: event.target.value });
            }}
          />
        </Field>
        <Field label="Description" aside="optional" className="sm:col-span-2">
          <Input
            value={choices.description ?? ''}
            placeholder={`${choices.name || 'It'}, made by a workflow.`}
            onChange={event => onChange({ description: event.target.value || undefined })}
          />
        </Field>
      </div>
      {replaces && (
        <Alert tone="warn" title={`The architecture ${choices.id} already exists.`}>
          {replaces === 'own'
            ? 'Saving replaces it, with its fields and price. To give it a new graph and keep these, open the workflow and choose the file there.'
            : 'It comes with Pomona. Saving replaces it on this deployment until the import is removed.'}
        </Alert>
      )}
    </Panel>
  );
}
