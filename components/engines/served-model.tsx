'use client';

import { X } from 'lucide-react';
import { Emblem } from '#components/architectures/emblem';
import type { Problem } from '#components/engines/problem';
import { JsonField, type OnFault } from '#components/engines/json-field';
import { Checkbox } from '#components/ui/checkbox';
import { Field } from '#components/ui/field';
import { IconButton } from '#components/ui/icon-button';
import { Input } from '#components/ui/input';
import { Select } from '#components/ui/select';
import type { AdminArchitectureWire } from '#lib/contract/admin-schemas';
import type { ExaminationWire } from '#lib/contract/engine-schemas';

export interface Served {
  architecture: string;
  model_ids?: string[];
  model?: string;
  call?: string;
  parameters?: Record<string, unknown>;
}

/** Fields of an entry besides its architecture and parameters, by engine type. */
const FIELDS: Record<string, { call?: true; model?: { hint: string; placeholder: string } }> = {
  openai: {
    call: true,
    model: { hint: 'As the server lists it. Leave empty if it has only one.', placeholder: 'Tongyi-MAI/Z-Image-Turbo' },
  },
  replicate: {
    model: {
      hint: 'owner/name of an official model, owner/name:version of any other',
      placeholder: 'black-forest-labs/flux-dev',
    },
  },
  fal: { model: { hint: 'The full id with its path', placeholder: 'fal-ai/flux/dev' } },
};

const CALLS = [
  { value: 'images', label: 'Images' },
  { value: 'videos', label: 'Videos' },
  { value: 'speech', label: 'Speech' },
  { value: 'audio', label: 'Audio (vLLM-Omni)' },
];

/** One architecture that an engine serves. */
export function ServedModel({
  type,
  served,
  architectures,
  suggestions,
  models,
  problem,
  onChange,
  onFault,
  onRemove,
}: {
  type: string;
  served: Served;
  architectures: readonly AdminArchitectureWire[];
  suggestions: ExaminationWire['suggestions'];
  /** Id of the datalist of known models. */
  models: string;
  problem: Problem;
  onChange: (served: Served) => void;
  onFault: OnFault;
  onRemove: () => void;
}) {
  const { call, model } = FIELDS[type] ?? {};
  const architecture = architectures.find(({ id }) => id === served.architecture);
  const variants = architecture?.model_ids ?? [];
  const { parameters, ...rest } = served;
  const choose = (id: string) => {
    const kind = architectures.find(one => one.id === id)?.type;
    const { model_ids: _, ...rest } = served;
    // the suggestions say how this server is called for the architecture's type
    onChange({ ...rest, ...(kind && suggestions[kind]), architecture: id });
  };
  return (
    <li className="grid gap-4 rounded-lg border p-4">
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-4 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]">
        <Field label="Architecture" error={problem('/architecture')}>
          <Select
            value={served.architecture}
            placeholder="Choose one"
            options={architectures.map(({ id, name, type }) => ({ value: id, label: `${name} (${type})` }))}
            onChange={event => choose(event.target.value)}
          />
        </Field>
        {model && (
          <Field
            label="Model on the server"
            hint={model.hint}
            error={problem('/model')}
            className="max-sm:order-last max-sm:col-span-2"
          >
            <Input
              value={served.model ?? ''}
              list={models}
              placeholder={model.placeholder}
              spellCheck={false}
              autoComplete="off"
              onChange={event => {
                const { model: _, ...rest } = served;
                onChange(event.target.value ? { ...rest, model: event.target.value } : rest);
              }}
            />
          </Field>
        )}
        <IconButton
          label={`Remove ${served.architecture || 'this model'}`}
          icon={<X className="size-4" aria-hidden />}
          className="mt-6.5 sm:col-start-3"
          onClick={onRemove}
        />
      </div>
      <div className="flex flex-wrap items-start gap-x-8 gap-y-4">
        {call && (
          <Field label="Endpoint" error={problem('/call')} className="w-44">
            <Select
              value={served.call ?? 'images'}
              options={CALLS}
              onChange={event => onChange({ ...served, call: event.target.value })}
            />
          </Field>
        )}
        {variants.length > 1 && (
          <fieldset className="grid gap-1.5">
            <legend className="mb-1.5 text-sm font-medium">Variants</legend>
            <div className="flex flex-wrap gap-x-5 gap-y-2">
              {variants.map(id => (
                <Checkbox
                  key={id}
                  label={id}
                  checked={served.model_ids?.includes(id) ?? true}
                  onChange={event => onChange(withVariant(served, variants, id, event.target.checked))}
                />
              ))}
            </div>
          </fieldset>
        )}
        {architecture && (
          <span className="ml-auto self-center max-sm:hidden">
            <Emblem id={architecture.id} className="size-8" />
          </span>
        )}
      </div>
      <details open={problem('/parameters') ? true : undefined}>
        <summary className="finger-line w-fit text-sm text-soft underline-offset-4 hover:underline">
          Parameters{parameters && ` (${Object.keys(parameters).length})`}
        </summary>
        <JsonField
          label="Parameters as JSON"
          hint={
            <>
              What it is sent besides the standard parameters: <code className="font-mono">{EXAMPLE}</code>
            </>
          }
          rows={5}
          value={parameters ?? {}}
          error={problem('/parameters')}
          className="mt-3"
          onChange={next => onChange(Object.keys(next).length ? { ...rest, parameters: next } : rest)}
          onFault={onFault}
        />
      </details>
    </li>
  );
}

/** Turns a variant on or off, except the last one. The list is omitted when all variants are on. */
function withVariant(served: Served, variants: string[], id: string, isOn: boolean): Served {
  const { model_ids = variants, ...rest } = served;
  const chosen = variants.filter(one => (one === id ? isOn : model_ids.includes(one)));
  if (chosen.length === 0) return served;
  return chosen.length === variants.length ? rest : { ...rest, model_ids: chosen };
}

const EXAMPLE = '{"num_inference_steps": {"from": "config.num_inference_steps"}}';
