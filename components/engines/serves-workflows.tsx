'use client';

import { useQuery } from '@tanstack/react-query';
import { Emblem } from '#components/architectures/emblem';
import { Checkbox } from '#components/ui/checkbox';
import { QueryView } from '#components/ui/query-view';
import { SegmentedControl } from '#components/ui/segmented-control';
import { workflowsQuery } from '#lib/client/admin-queries';
import type { EngineEntryWire, ExaminationWire } from '#lib/contract/engine-schemas';

type Served = { architecture: string; model_ids?: string[] };

const SEGMENTS = [
  { value: 'all', label: 'Everything with a workflow' },
  { value: 'some', label: 'Only what I choose' },
];

/** What a ComfyUI engine serves: every architecture that has a workflow, or chosen ones. */
export function ServesWorkflows({
  options,
  found,
  onChange,
}: {
  options: EngineEntryWire['options'];
  found: ExaminationWire | undefined;
  onChange: (options: EngineEntryWire['options']) => void;
}) {
  const query = useQuery(workflowsQuery);
  const serves = options.serves as Served[] | undefined;
  const { serves: _, ...others } = options;
  const isChosen = (architecture: string) => serves?.some(one => one.architecture === architecture) ?? false;
  const choose = (architecture: string, isOn: boolean) =>
    onChange({
      ...others,
      serves: isOn ? [...(serves ?? []), { architecture }] : serves?.filter(one => one.architecture !== architecture),
    });
  const isReady = (architecture: string) =>
    found?.serves.some(one => one.architecture === architecture && one.lacks.length === 0) ?? false;
  return (
    <div className="grid gap-5">
      <SegmentedControl
        label="What it makes"
        segments={SEGMENTS}
        value={serves ? 'some' : 'all'}
        className="justify-self-start"
        onValueChange={value =>
          onChange(
            value === 'all'
              ? others
              : {
                  ...others,
                  serves: [...new Set(found?.serves.map(one => one.architecture))]
                    .filter(isReady)
                    .map(architecture => ({ architecture })),
                },
          )
        }
      />
      {serves ? (
        <QueryView query={query}>
          {({ data }) => (
            <ul className="grid gap-x-6 gap-y-3 sm:grid-cols-2" aria-label="Architectures">
              {[...new Set(data.map(({ architecture }) => architecture))].map(architecture => (
                <li key={architecture} className="flex items-center gap-3">
                  <Checkbox
                    label={architecture}
                    checked={isChosen(architecture)}
                    onChange={event => choose(architecture, event.target.checked)}
                  />
                  <Emblem id={architecture} className="size-5" />
                  {found && !isReady(architecture) && <span className="text-xs text-amber">lacks something</span>}
                </li>
              ))}
            </ul>
          )}
        </QueryView>
      ) : (
        <p className="max-w-prose text-sm text-soft">
          Also workflows imported later. A model whose files are missing is left to other engines, or to previews, until
          they are there.
        </p>
      )}
    </div>
  );
}
