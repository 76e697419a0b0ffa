'use client';

import { useState } from 'react';
import { BuiltPanel } from '#components/workflows/built-panel';
import { ChangesList } from '#components/workflows/changes-list';
import { FieldsList } from '#components/workflows/fields-list';
import { MissingNote } from '#components/workflows/missing-note';
import { useBuilt } from '#components/workflows/use-built';
import { Panel } from '#components/ui/panel';
import type { ImportChoicesWire, ReadWorkflowWire } from '#lib/contract/engine-schemas';

/** Updates a workflow to a new graph: how its fields have changed, and which values could become fields. */
export function UpdateForm({
  id,
  reading: { found, engine_id },
  update,
}: {
  id: string;
  reading: ReadWorkflowWire;
  update: NonNullable<ReadWorkflowWire['update']>;
}) {
  const files = { architecture: update.architecture, workflow: update.workflow };
  const [add, setAdd] = useState<NonNullable<ImportChoicesWire['fields']>>({});
  const [draft, setDraft] = useState({ files, found, add });
  const built = useBuilt(draft);
  // new fields are off until the operator adds them, so that the architecture stays as it was
  const more = found.proposals.filter(({ name }) => update.added.includes(name)).map(one => ({ ...one, on: false }));
  return (
    <div className="grid grid-cols-1 gap-x-14 gap-y-10 lg:grid-cols-[minmax(0,1fr)_22rem] xl:grid-cols-[minmax(0,1fr)_26rem]">
      <div className="grid grid-cols-1 content-start gap-10">
        <MissingNote missing={found.missing} engine={engine_id} />
        <Panel title="What changed">
          <p className="max-w-prose text-sm text-soft">
            Fields, titles, limits and prices stay as they are. These are the places of their values in the new graph.
          </p>
          <ChangesList changes={update.changes} />
        </Panel>
        {more.length > 0 && (
          <Panel title="More fields">
            <FieldsList
              proposals={more}
              fields={add}
              schemas={built.data?.fields ?? {}}
              isOn={name => Boolean(add[name])}
              onChange={next => {
                setAdd(next);
                setDraft({ files, found, add: next });
              }}
            />
          </Panel>
        )}
      </div>
      <BuiltPanel id={id} engineId={engine_id} built={built} save="Save the new version" revision={update.revision} />
    </div>
  );
}
