'use client';

import { useId } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import type { OnFault } from '#components/engines/json-field';
import type { Problem } from '#components/engines/problem';
import { ServedModel, type Served } from '#components/engines/served-model';
import { Button } from '#components/ui/button';
import { QueryView } from '#components/ui/query-view';
import { allArchitecturesQuery } from '#lib/client/admin-queries';
import type { EngineEntryWire, ExaminationWire } from '#lib/contract/engine-schemas';

const WORDS: Record<string, string> = {
  openai: 'Each model of the server makes one architecture of the catalog; its parameters follow from the fields.',
  cog: 'The container holds one model. Its inputs are the names of the parameters.',
  replicate: 'Each model makes one architecture of the catalog. Its inputs are the names of the parameters.',
  fal: 'Each model makes one architecture of the catalog. Its inputs are the names of the parameters.',
};

const keys = new WeakMap<Served, number>();
let next = 0;

/** Returns a React key that stays with an entry through changes, so that half-written text stays in its own entry. */
function keyOf(served: Served): number {
  const key = keys.get(served) ?? next++;
  keys.set(served, key);
  return key;
}

/** Maps the models of an engine to the architectures that they serve. */
export function ServesModels({
  entry: { type, options },
  found,
  problem,
  onChange,
  onFault,
}: {
  entry: EngineEntryWire;
  found: ExaminationWire | undefined;
  problem: Problem;
  onChange: (options: EngineEntryWire['options']) => void;
  onFault: OnFault;
}) {
  const query = useQuery(allArchitecturesQuery);
  const listId = useId();
  const serves = (options.serves as Served[] | undefined) ?? [];
  const set = (all: Served[]) => onChange({ ...options, serves: all });
  const change = (at: number, to: Served) => {
    keys.set(to, keyOf(serves[at]!));
    set(serves.with(at, to));
  };
  return (
    <QueryView query={query}>
      {architectures => (
        <div className="grid gap-5">
          <p className="max-w-prose text-sm text-soft">{WORDS[type]}</p>
          <datalist id={listId}>
            {found?.models.map(model => (
              <option key={model}>{model}</option>
            ))}
          </datalist>
          {serves.length > 0 && (
            <ul className="grid gap-5">
              {serves.map((served, at) => (
                <ServedModel
                  key={keyOf(served)}
                  type={type}
                  served={served}
                  architectures={architectures}
                  suggestions={found?.suggestions ?? {}}
                  models={listId}
                  problem={path => problem(`/options/serves/${at}${path}`)}
                  onChange={to => change(at, to)}
                  onFault={onFault}
                  onRemove={() => set(serves.filter((_, index) => index !== at))}
                />
              ))}
            </ul>
          )}
          {serves.length === 0 && problem('/options/serves') && (
            <p role="alert" className="text-sm font-medium text-danger">
              Choose at least one model.
            </p>
          )}
          <Button
            size="sm"
            className="justify-self-start"
            onClick={() => set([...serves, { architecture: '', ...(type === 'openai' && { call: 'images' }) }])}
          >
            <Plus className="size-4" aria-hidden /> Add a model
          </Button>
        </div>
      )}
    </QueryView>
  );
}
