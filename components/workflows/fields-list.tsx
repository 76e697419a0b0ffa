'use client';

import { FieldRow } from '#components/workflows/field-row';
import type { ImportChoicesWire, ProposalWire } from '#lib/contract/engine-schemas';

type Fields = NonNullable<ImportChoicesWire['fields']>;

/** Everything in a workflow that can be a field, what is worth it first. */
export function FieldsList({
  proposals,
  fields,
  isOn,
  onChange,
}: {
  proposals: readonly ProposalWire[];
  fields: Fields;
  isOn: (name: string) => boolean;
  onChange: (fields: Fields) => void;
}) {
  const rows = (some: readonly ProposalWire[]) => (
    <ul className="grid">
      {some.map(proposal => (
        <FieldRow
          key={proposal.name}
          proposal={proposal}
          choice={fields[proposal.name]}
          isOn={isOn(proposal.name)}
          onChange={choice => onChange({ ...fields, [proposal.name]: choice })}
        />
      ))}
    </ul>
  );
  const others = proposals.filter(({ on }) => !on);
  return (
    <div className="grid gap-4">
      {rows(proposals.filter(({ on }) => on))}
      {others.length > 0 && (
        <details>
          <summary className="w-fit text-sm text-soft underline-offset-4 hover:underline">
            {others.length} more {others.length === 1 ? 'value' : 'values'} in the workflow
          </summary>
          <div className="mt-3">{rows(others)}</div>
        </details>
      )}
    </div>
  );
}
