'use client';

import { useId, useState } from 'react';
import { SlidersHorizontal } from 'lucide-react';
import { FieldEditor, type FieldChoice } from '#components/workflows/field-editor';
import { ruleOf, shown } from '#components/workflows/rule-of';
import { Button } from '#components/ui/button';
import { Checkbox } from '#components/ui/checkbox';
import { toTitle } from '#components/ui/to-title';
import type { ImportChoicesWire, ProposalWire } from '#lib/contract/engine-schemas';

type Choice = NonNullable<ImportChoicesWire['fields']>[string];

/** Titles of the fields that architectures have in common, by name. */
const COMMON: Record<string, string> = {
  prompt: 'Prompt',
  seed: 'Seed',
  width: 'Size',
  height: 'Height',
  frames: 'Number of frames',
  fps: 'Frames per second',
  duration: 'Length',
  image: 'Reference images',
  first_image: 'First frame',
  last_image: 'Last frame',
  video: 'Source video',
  audio: 'Audio',
  num_inference_steps: 'Steps',
};

/** A value of the workflow, or several that belong together; its checkbox makes it a field. */
export function FieldRow({
  proposals,
  choice,
  schema,
  isOn,
  onChange,
}: {
  proposals: readonly ProposalWire[];
  choice: Choice | undefined;
  /** Schema of the field as currently built; undefined where the field has no schema of its own. */
  schema: Record<string, unknown> | undefined;
  isOn: boolean;
  onChange: (choice: Choice) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const editorId = useId();
  const proposal = proposals[0]!;
  const { field } = proposal;
  const chosen: FieldChoice = choice || {};
  const name = chosen.name ?? proposal.name;
  const title = String(chosen.field?.title ?? field?.title ?? COMMON[proposal.name] ?? schema?.title ?? toTitle(name));
  const places = proposals.flatMap(({ binding }) =>
    binding.to.map(({ class: node, input, title }) => `${title ?? node}.${input}`),
  );
  return (
    <li className="grid gap-3 border-t py-3 first:border-t-0 first:pt-0">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-1">
        <Checkbox
          aria-label={`Expose ${title}`}
          checked={isOn}
          onChange={event => onChange(event.target.checked ? chosen : false)}
        />
        <div className="-mt-px grid min-w-0 grow basis-48 gap-0.5 wrap-anywhere">
          <p className="flex flex-wrap items-baseline gap-x-2.5 text-sm">
            <span className={isOn ? 'font-medium' : 'text-soft'}>{title}</span>
            {field && <code className="font-mono text-xs text-faint">{name}</code>}
          </p>
          <p className="text-xs text-faint">
            {isOn
              ? ruleOf(proposals, { ...field, ...chosen.field, ...schema })
              : `always ${proposals.map(({ value }) => shown(value)).join(' × ')}`}
            {' · '}
            {places.join(', ')}
          </p>
        </div>
        {field && isOn && (
          <Button
            size="sm"
            tone="ghost"
            aria-expanded={isOpen}
            aria-controls={editorId}
            onClick={() => setOpen(!isOpen)}
          >
            <SlidersHorizontal className="size-4" aria-hidden />
            {isOpen ? 'Done' : 'Change'}
            <span className="sr-only"> {title}</span>
          </Button>
        )}
      </div>
      {field && isOn && isOpen && (
        <FieldEditor
          id={editorId}
          proposal={proposal}
          field={field}
          schema={schema}
          choice={chosen}
          onChange={onChange}
        />
      )}
    </li>
  );
}
