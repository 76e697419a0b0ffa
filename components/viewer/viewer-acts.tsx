'use client';

import { ActButton } from '#components/generations/act-button';
import { ActStrip } from '#components/generations/act-strip';
import { useActs, type ActId } from '#components/generations/use-acts';
import { useIsListening } from '#components/ui/use-is-listening';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import type { RequestWire } from '#lib/contract/schemas';

export interface ViewerActsProps {
  request: RequestWire;
  entries: readonly CatalogEntry[];
  /** Deletes, and goes where one looks next. */
  onDelete: (request: RequestWire) => void;
}

/** Of what is looked at on a phone. */
const FIRST: readonly ActId[] = ['again', 'settings', 'edit', 'use', 'favourite', 'share', 'download'];

/** What can be done with the request that is looked at, by name: all of it beside the picture, under it the most of it in a menu. */
export function ViewerActs({ request, entries, onDelete }: ViewerActsProps) {
  const acts = useActs(request, entries).map(act =>
    act.id === 'delete' ? { ...act, onPress: () => onDelete(request) } : act,
  );
  return (
    // on a page of its own it is drawn before it answers: a press would be lost
    <div inert={!useIsListening()} className="-mx-2 print:hidden">
      <ActStrip acts={acts} first={FIRST} className="lg:hidden" />
      <ul className="grid grid-cols-2 max-lg:hidden">
        {acts.map(act => (
          <li key={act.id}>
            <ActButton act={act} className="w-full justify-start" />
          </li>
        ))}
      </ul>
    </div>
  );
}
