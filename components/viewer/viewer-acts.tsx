'use client';

import { useRef } from 'react';
import { ActButton } from '#components/generations/act-button';
import { ActStrip } from '#components/generations/act-strip';
import { useActs, type ActId } from '#components/generations/use-acts';
import { layerOf, topLayer } from '#components/ui/layer-of';
import { useIsListening } from '#components/ui/use-is-listening';
import { usePageKeys } from '#components/ui/use-page-keys';
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

/** As in the gallery. */
const KEYS: Partial<Record<string, ActId>> = { f: 'favourite', delete: 'delete', backspace: 'delete' };

/** What can be done with the request that is looked at, by name: all of it beside the picture, under it the most of it in a menu. */
export function ViewerActs({ request, entries, onDelete }: ViewerActsProps) {
  const acts = useActs(request, entries).map(act =>
    act.id === 'delete' ? { ...act, onPress: () => onDelete(request) } : act,
  );
  const place = useRef<HTMLDivElement>(null);
  usePageKeys(event => {
    const id = KEYS[event.key.toLowerCase()];
    // a dialog that is open over it has its own keys; held down, one would go on with the neighbours
    if (!id || event.type !== 'keydown' || event.repeat || topLayer() !== layerOf(place.current)) return;
    event.preventDefault();
    acts.find(act => act.id === id)?.onPress?.();
  });
  return (
    // on a page of its own it is drawn before it answers: a press would be lost
    <div ref={place} inert={!useIsListening()} className="-mx-2 print:hidden">
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
