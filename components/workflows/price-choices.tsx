'use client';

import { Checkbox } from '#components/ui/checkbox';
import { Field } from '#components/ui/field';
import { Input } from '#components/ui/input';
import { Panel } from '#components/ui/panel';
import type { BuiltWorkflowWire, ImportChoicesWire } from '#lib/contract/engine-schemas';

interface Price {
  /** Null while the field is empty; the server then reports it as missing. */
  gems: number | null;
  factors?: Record<string, Record<string, number | null>>;
  seconds?: { field: string; base: number };
}

/** Price of a request: the gems for the defaults, and how the tokens and the length change them. */
export function PriceChoices({
  choices,
  architecture,
  schemas,
  onChange,
}: {
  choices: ImportChoicesWire;
  /** The architecture as currently built. */
  architecture: Record<string, unknown>;
  /** Schemas of its fields, by name. */
  schemas: BuiltWorkflowWire['fields'];
  onChange: (part: Partial<ImportChoicesWire>) => void;
}) {
  const built = architecture.price as Price;
  const price = (choices.price as Price | undefined) ?? built;
  const fields = architecture.fields as Record<string, { enum?: string[]; default?: unknown }>;
  const { duration } = fields;
  const tokens = Object.entries(fields).filter(
    ([name, field]) => name !== 'duration' && name !== 'aspect_ratio' && (field.enum?.length ?? 0) > 1,
  );
  const set = (part: Partial<Price>) => onChange({ price: { ...price, ...part } });
  const setFactor = (field: string, token: string, factor: number | null) =>
    set({ factors: { ...price.factors, [field]: { ...price.factors?.[field], [token]: factor } } });
  return (
    <Panel title="Price">
      <div className="flex flex-wrap items-end gap-x-8 gap-y-4">
        <Field label="Gems" hint="For the default of every field." className="w-44">
          <Input
            type="number"
            min={1}
            step={1}
            value={price.gems ?? ''}
            onChange={event => set({ gems: numberIn(event.target.value) })}
          />
        </Field>
        {(duration?.enum?.length ?? 0) > 1 && (
          <Checkbox
            className="mb-7"
            label={`The price grows with the length: this is for ${String(duration!.default)} s`}
            checked={price.seconds !== undefined}
            onChange={event => {
              const { seconds: _, ...rest } = price;
              const seconds = { field: 'duration', base: Number(duration!.default) };
              onChange({ price: event.target.checked ? { ...rest, seconds } : rest });
            }}
          />
        )}
      </div>
      {tokens.map(([name, field]) => (
        <details key={name} open={price.factors?.[name] ? true : undefined}>
          <summary className="finger-line w-fit text-sm text-soft underline-offset-4 hover:underline">
            Price factors by {String(schemas[name]?.title ?? name).toLowerCase()}
          </summary>
          <ul className="mt-3 flex flex-wrap gap-x-6 gap-y-3">
            {field.enum!.slice(0, 24).map(token => (
              <li key={token}>
                <Field label={token} aside={token === field.default && 'default'} className="w-28">
                  <Input
                    type="number"
                    min={0.01}
                    step="any"
                    value={token === field.default ? 1 : factorOf(price, name, token)}
                    disabled={token === field.default}
                    onChange={event => setFactor(name, token, numberIn(event.target.value))}
                  />
                </Field>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </Panel>
  );
}

const numberIn = (text: string): number | null => (text === '' ? null : Number(text));

const factorOf = ({ factors }: Price, name: string, token: string): number | '' => {
  const { [token]: factor = 1 } = factors?.[name] ?? {};
  return factor ?? '';
};
