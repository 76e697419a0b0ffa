'use client';

import { useState } from 'react';
import { Plus, X } from 'lucide-react';
import { Button } from '#components/ui/button';
import { Checkbox } from '#components/ui/checkbox';
import { Field } from '#components/ui/field';
import { IconButton } from '#components/ui/icon-button';
import { Input } from '#components/ui/input';
import { Panel } from '#components/ui/panel';
import type { ImportChoicesWire } from '#lib/contract/engine-schemas';

/** Aspect ratios that can be offered; they include all those that an import offers by default. */
const RATIOS = ['21:9', '16:9', '3:2', '4:3', '5:4', '1:1', '4:5', '3:4', '2:3', '9:16', '9:21'];

/** The tokens for aspect ratio, size and length that the form offers. */
export function SizeChoices({
  type,
  choices,
  architecture,
  isSized,
  isTimed,
  onChange,
}: {
  type: 'image' | 'video' | 'audio';
  choices: ImportChoicesWire;
  /** The architecture as currently built. */
  architecture: Record<string, unknown>;
  isSized: boolean;
  isTimed: boolean;
  onChange: (part: Partial<ImportChoicesWire>) => void;
}) {
  const fields = architecture.fields as Record<string, { enum?: string[] }>;
  const ratios = choices.ratios ?? fields.aspect_ratio?.enum ?? [];
  const hasSize = type !== 'audio' && isSized;
  const hasLength = type !== 'image' && isTimed;
  if (!hasSize && !hasLength) return null;
  return (
    <Panel title={hasSize ? (hasLength ? 'Size and length' : 'Size') : 'Length'}>
      {hasSize && (
        <>
          <fieldset>
            <legend className="mb-2 text-sm font-medium">Aspect ratios</legend>
            <div className="flex flex-wrap gap-x-5 gap-y-2.5">
              {RATIOS.map(ratio => (
                <Checkbox
                  key={ratio}
                  label={ratio}
                  checked={ratios.includes(ratio)}
                  onChange={event => {
                    const next = RATIOS.filter(one => (one === ratio ? event.target.checked : ratios.includes(one)));
                    if (next.length > 0) onChange({ ratios: next });
                  }}
                />
              ))}
            </div>
          </fieldset>
          <Sizes choices={choices} architecture={architecture} onChange={onChange} />
        </>
      )}
      {hasLength && <Seconds tokens={fields.duration?.enum ?? []} onChange={seconds => onChange({ seconds })} />}
    </Panel>
  );
}

/** Sizes in addition to that of the graph, each with a token. */
function Sizes({
  choices,
  architecture,
  onChange,
}: {
  choices: ImportChoicesWire;
  architecture: Record<string, unknown>;
  onChange: (part: Partial<ImportChoicesWire>) => void;
}) {
  const [start] = useState(() => Number((architecture.output as { side?: unknown } | undefined)?.side) || 1024);
  // an array, because a token may equal another one while it is typed
  const [sizes, setSizes] = useState(() => Object.entries(choices.sizes ?? {}));
  const set = (next: [string, number][]) => {
    setSizes(next);
    onChange({ sizes: next.length > 0 ? Object.fromEntries(next) : undefined });
  };
  return (
    <div className="grid gap-3">
      <p className="text-sm">
        <span className="font-medium">Sizes</span>{' '}
        <span className="text-soft">
          {sizes.length === 0 ? `as in the workflow, about ${start} × ${start} pixels` : 'the side of a square'}
        </span>
      </p>
      {sizes.length > 0 && (
        <ul className="grid gap-3">
          {sizes.map(([token, side], at) => (
            <li key={at} className="flex flex-wrap items-end gap-3">
              <Field label="Token" className="w-28">
                <Input
                  value={token}
                  onChange={event =>
                    set(sizes.map((one, index) => (index === at ? [event.target.value, one[1]] : one)))
                  }
                />
              </Field>
              <Field label="Pixels per side" className="w-36">
                <Input
                  type="number"
                  min={64}
                  max={8192}
                  step={16}
                  value={side}
                  onChange={event =>
                    set(sizes.map((one, index) => (index === at ? [one[0], Number(event.target.value)] : one)))
                  }
                />
              </Field>
              <IconButton
                label={`Remove ${token}`}
                icon={<X className="size-4" aria-hidden />}
                onClick={() => set(sizes.filter((_, index) => index !== at))}
              />
            </li>
          ))}
        </ul>
      )}
      <Button
        size="sm"
        className="justify-self-start"
        onClick={() =>
          set(
            sizes.length === 0
              ? [
                  ['1K', start],
                  ['2K', start * 2],
                ]
              : [...sizes, [`${sizes.length + 1}K`, start]],
          )
        }
      >
        <Plus className="size-4" aria-hidden /> {sizes.length === 0 ? 'Offer several sizes' : 'Add a size'}
      </Button>
    </div>
  );
}

function Seconds({ tokens, onChange }: { tokens: string[]; onChange: (seconds: string[]) => void }) {
  const [text, setText] = useState(tokens.join(', '));
  return (
    <Field label="Lengths in seconds" hint="Whole seconds, separated by commas." className="max-w-md">
      <Input
        value={text}
        inputMode="numeric"
        onChange={event => {
          setText(event.target.value);
          const next = event.target.value.split(/[,\s]+/).filter(one => /^[1-9]\d{0,3}$/.test(one));
          if (next.length > 0) onChange([...new Set(next)]);
        }}
      />
    </Field>
  );
}
