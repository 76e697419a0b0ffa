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
  /** Deletes the request, then shows the next one or leaves the viewer. */
  onDelete: (request: RequestWire) => void;
}

/** Actions that stay visible on a phone. */
const FIRST: readonly ActId[] = ['again', 'settings', 'edit', 'use', 'favourite', 'share', 'download'];

/** Keyboard shortcuts, the same as in the gallery. */
const KEYS: Partial<Record<string, ActId>> = { f: 'favourite', delete: 'delete', backspace: 'delete' };

/** Actions for the viewed request: all of them beside the image in wide windows, otherwise a strip with a menu. */
export function ViewerActs({ request, entries, onDelete }: ViewerActsProps) {
  const acts = useActs(request, entries).map(act =>
    act.id === 'delete' ? { ...act, onPress: () => onDelete(request) } : act,
  );
  const place = useRef<HTMLDivElement>(null);
  usePageKeys(event => {
    const id = KEYS[event.key.toLowerCase()];
    // a dialog on top handles its own keys; a repeating key would act on the neighbouring results, too
    if (!id || event.type !== 'keydown' || event.repeat || topLayer() !== layerOf(place.current)) return;
    event.preventDefault();
    acts.find(act => act.id === id)?.onPress?.();
  });
  return (
    // inert until hydrated, as on the result page: a press before that would be lost
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
