'use client';

import { useState } from 'react';
import { BuiltPanel } from '#components/workflows/built-panel';
import { FieldsList } from '#components/workflows/fields-list';
import { MissingNote } from '#components/workflows/missing-note';
import { NameFields } from '#components/workflows/name-fields';
import { PriceChoices } from '#components/workflows/price-choices';
import { SizeChoices } from '#components/workflows/size-choices';
import { useBuilt } from '#components/workflows/use-built';
import { Alert } from '#components/ui/alert';
import { CodeBlock } from '#components/ui/code-block';
import { Panel } from '#components/ui/panel';
import { Select } from '#components/ui/select';
import type { ImportChoicesWire, ReadWorkflowWire } from '#lib/contract/engine-schemas';
import { slug } from '#lib/contract/slug';

/** Form in which an operator turns what was found in a workflow into an architecture. */
export function ImportForm({ reading, name }: { reading: ReadWorkflowWire; name: string }) {
  const { found, engine_id } = reading;
  const [choices, setChoices] = useState<ImportChoicesWire>({ id: idOf(name), name });
  const [draft, setDraft] = useState({ found, choices });
  const built = useBuilt(draft);
  const change = (part: Partial<ImportChoicesWire>) => {
    const next = { ...choices, ...part };
    setChoices(next);
    setDraft({ found, choices: next });
  };
  const isOn = (proposal: string) => {
    const choice = choices.fields?.[proposal];
    return choice === undefined ? found.proposals.some(one => one.name === proposal && one.on) : choice !== false;
  };
  const type = found.outputs[choices.output ?? 0]?.type;
  return (
    <div className="grid grid-cols-1 gap-x-14 gap-y-10 lg:grid-cols-[minmax(0,1fr)_22rem] xl:grid-cols-[minmax(0,1fr)_26rem]">
      <div className="grid grid-cols-1 content-start gap-10">
        <MissingNote missing={found.missing} engine={engine_id} />
        {type === undefined && (
          <Alert tone="bad" title="Nothing in this workflow saves an image, a video or audio.">
            Add a node such as Save Image or Save Video and export it again. A node that the server lacks does not
            count.
          </Alert>
        )}
        <NameFields choices={choices} replaces={built.data?.replaces ?? null} onChange={change} idOf={idOf} />
        {found.outputs.length > 1 && (
          <Panel title="What it makes">
            <p className="text-sm text-soft">It saves several files. Choose which one is the result.</p>
            <Select
              aria-label="The result"
              className="max-w-md"
              value={String(choices.output ?? 0)}
              options={found.outputs.map(({ place, type }, at) => ({
                value: String(at),
                label: `${type}, from ${nameOf(place)}`,
              }))}
              onChange={event => change({ output: Number(event.target.value) })}
            />
          </Panel>
        )}
        <Panel
          title="Fields"
          aside={<p className="text-sm text-faint">Ticked fields appear in the form, the docs and the API.</p>}
        >
          <FieldsList
            proposals={found.proposals}
            fields={choices.fields ?? {}}
            schemas={built.data?.fields ?? {}}
            isOn={isOn}
            onChange={fields => change({ fields })}
          />
        </Panel>
        {built.data && type && (
          <>
            <SizeChoices
              type={type}
              choices={choices}
              architecture={built.data.architecture}
              isSized={isOn('width') && isOn('height')}
              isTimed={isOn('frames') || isOn('duration')}
              onChange={change}
            />
            <PriceChoices
              choices={choices}
              architecture={built.data.architecture}
              schemas={built.data.fields}
              onChange={change}
            />
            <details>
              <summary className="finger-line w-fit text-sm text-soft underline-offset-4 hover:underline">
                The two files to be saved
              </summary>
              <div className="mt-4 grid gap-5">
                <CodeBlock
                  title={`architectures/${choices.id}.json`}
                  code={JSON.stringify(built.data.architecture, null, 2)}
                />
                <CodeBlock title={`workflows/${choices.id}.json`} code={JSON.stringify(built.data.workflow, null, 2)} />
              </div>
            </details>
          </>
        )}
      </div>
      <BuiltPanel id={choices.id} engineId={engine_id} built={built} save="Save and offer" />
    </div>
  );
}

/** Returns the name of a node, numbered where several have the same name. */
const nameOf = ({ title, class: name, nth }: Record<string, unknown>): string =>
  [title ?? name, typeof nth === 'number' && nth + 1].filter(Boolean).join(' ');

const idOf = (name: string): string => slug(name, 40) || 'workflow';
