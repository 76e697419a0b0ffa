'use client';

import { ActButton } from '#components/generations/act-button';
import { useActs } from '#components/generations/use-acts';
import { useIsListening } from '#components/ui/use-is-listening';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import type { RequestWire } from '#lib/contract/schemas';

export interface ViewerActsProps {
  request: RequestWire;
  entries: readonly CatalogEntry[];
  /** Deletes, and goes where one looks next. */
  onDelete: (request: RequestWire) => void;
}

/** What can be done with the request that is looked at, by name. */
export function ViewerActs({ request, entries, onDelete }: ViewerActsProps) {
  const acts = useActs(request, entries).map(act =>
    act.id === 'delete' ? { ...act, onPress: () => onDelete(request) } : act,
  );
  return (
    // on a page of its own it is drawn before it answers: a press would be lost
    <ul inert={!useIsListening()} className="-mx-2 grid grid-cols-2 max-[18rem]:grid-cols-1">
      {acts.map(act => (
        <li key={act.id}>
          <ActButton act={act} className="w-full justify-start" />
        </li>
      ))}
    </ul>
  );
}
