'use client';

import { FieldRow } from '#components/workflows/field-row';
import type { BuiltWorkflowWire, ImportChoicesWire, ProposalWire } from '#lib/contract/engine-schemas';
import { many } from '#lib/contract/words';

type Fields = NonNullable<ImportChoicesWire['fields']>;

/** Order of fields in a form; a workflow's own fields come before the seed. */
const ORDER = [
  'prompt',
  'negative_prompt',
  'image',
  'first_image',
  'last_image',
  'video',
  'audio',
  'width',
  'height',
  'frames',
  'fps',
  'duration',
  'num_inference_steps',
  'guidance_scale',
  'OWN',
  'seed',
];
const rank = ({ name }: ProposalWire) => ORDER.indexOf(ORDER.includes(name) ? name : 'OWN');

/** All values of a workflow that can become fields; those that are off by default are folded away. */
export function FieldsList({
  proposals,
  fields,
  schemas,
  isOn,
  onChange,
}: {
  proposals: readonly ProposalWire[];
  fields: Fields;
  /** Schemas of the fields as currently built, by name. */
  schemas: BuiltWorkflowWire['fields'];
  isOn: (name: string) => boolean;
  onChange: (fields: Fields) => void;
}) {
  const rows = (some: readonly ProposalWire[]) => (
    <ul className="grid">
      {inRows(some).map(row => (
        <FieldRow
          key={row[0]!.name}
          proposals={row}
          choice={fields[row[0]!.name]}
          schema={schemas[nameOf(row[0]!, fields)]}
          isOn={row.every(({ name }) => isOn(name))}
          onChange={choice => onChange({ ...fields, ...Object.fromEntries(row.map(({ name }) => [name, choice])) })}
        />
      ))}
    </ul>
  );
  const sorted = proposals.toSorted((a, b) => rank(a) - rank(b));
  const others = sorted.filter(({ on }) => !on);
  return (
    <div className="grid gap-4">
      {rows(sorted.filter(({ on }) => on))}
      {others.length > 0 && (
        <details open={others.length === sorted.length}>
          <summary className="finger-line w-fit text-sm text-soft underline-offset-4 hover:underline">
            {many(others.length, 'more value')} in the workflow
          </summary>
          <div className="mt-3">{rows(others)}</div>
        </details>
      )}
    </div>
  );
}

/** Groups the proposals into rows; width and height share one. */
function inRows(proposals: readonly ProposalWire[]): ProposalWire[][] {
  const height = proposals.find(({ name }) => name === 'height');
  return proposals.flatMap(one =>
    one.name === 'width' && height ? [[one, height]] : one === height && proposals.some(isWidth) ? [] : [[one]],
  );
}

const isWidth = ({ name }: ProposalWire) => name === 'width';

function nameOf({ name }: ProposalWire, fields: Fields): string {
  const choice = fields[name];
  return (choice && choice.name) || name;
}
