'use client';

import { useRef } from 'react';
import { useRouter } from 'next/navigation';
import { useQuery } from '@tanstack/react-query';
import type { Offer } from '#components/carry/carried';
import { carryInto } from '#components/carry/carry-into';
import { placesFor, type Places } from '#components/carry/places-for';
import { PreviewBadge } from '#components/generations/preview-badge';
import type { Config } from '#components/studio/config';
import { changeDraft, draftOf } from '#components/studio/drafts';
import { ModelPicture } from '#components/studio/model-picture';
import { composerPrompt, showComposer } from '#components/studio/show-composer';
import type { Slot } from '#components/studio/slots';
import { offerUndo } from '#components/studio/take-settings';
import { Button } from '#components/ui/button';
import { Dialog } from '#components/ui/dialog';
import { GemAmount } from '#components/ui/gem-amount';
import { QueryView } from '#components/ui/query-view';
import { toast } from '#components/ui/toast';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import { catalogQuery } from '#lib/client/queries';

const TITLES: Partial<Record<Offer['intent'], string>> = {
  'edit-with': 'Edit it with',
  enlarge: 'Make it larger with',
  animate: 'Animate it with',
  extend: 'Continue from its last frame with',
  reference: 'Use it as a reference in',
};

/** Chooses the model and slot for the media, which are then put into the model's draft; that change can be undone. */
export function UseDialog({ carried, more = [], intent, onClose }: Offer & { onClose: () => void }) {
  const router = useRouter();
  const catalog = useQuery(catalogQuery);
  const isTaken = useRef(false);
  const all = [carried, ...more];
  const put = (entry: CatalogEntry, slot: Slot) => carryInto(entry, draftOf(entry), slot, all, intent);
  const take = (entry: CatalogEntry, slot: Slot) => {
    const next = (own: Config) => {
      // the draft as the model's page opens it, with the prompt carried over
      const { config, given, taken } = put(entry, slot);
      if (taken < given) toast({ title: `${entry.name} takes ${taken} of these ${given}.` });
      if (own.prompt && own.prompt !== config.prompt) {
        const title = `Your earlier prompt for ${entry.name} was removed.`;
        toast({ title, ...offerUndo(() => changeDraft(entry, () => own)) });
      }
      return config;
    };
    changeDraft(entry, next, { isOwnPrompt: intent !== 'enlarge' });
    isTaken.current = true;
    onClose();
    // also closes what is open over the page
    router.push(`/create/${entry.id}`);
    showComposer();
  };
  return (
    <Dialog
      open
      shape="wide"
      title={TITLES[intent] ?? 'Use it in'}
      description={more.length > 0 ? `${all.length} results` : <span className="line-clamp-1">{carried.name}</span>}
      onOpenChange={open => !open && onClose()}
      // `showComposer` ran while this dialog still held the focus
      focusOnClose={() => (isTaken.current ? composerPrompt() : null)}
    >
      <QueryView query={catalog}>
        {entries => {
          const places = placesFor(entries, all, intent)
            .map(({ entry, slots }) => {
              const fit = slots.map(slot => ({ slot, ...put(entry, slot) })).filter(({ isFit }) => isFit);
              return { entry, slots: fit.map(({ slot }) => slot), gems: dearest(fit.map(({ gems }) => gems)) };
            })
            .filter(({ slots }) => slots.length > 0);
          if (places.length === 0) return NOWHERE;
          return (
            <ul className="grid gap-x-8 md:grid-cols-2">
              {places.map(({ entry, slots, gems }) => (
                <Row key={entry.id} entry={entry} slots={slots} gems={gems} onTake={slot => take(entry, slot)} />
              ))}
            </ul>
          );
        }}
      </QueryView>
    </Dialog>
  );
}

const NOWHERE = <p className="py-10 text-center text-sm text-soft">No model here takes these files.</p>;

/** Returns the highest of the prices of a row, whose slots may take media of different kinds. */
const dearest = (prices: (number | null)[]) => (prices.includes(null) ? null : Math.max(...prices.map(Number)));

function Row({
  entry,
  slots,
  gems,
  onTake,
}: Places & {
  /** Price of a request with the resulting draft; null if unknown. */
  gems: number | null;
  onTake: (slot: Slot) => void;
}) {
  const { id, name, preview_models, base_config } = entry;
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] content-start items-center gap-x-4 gap-y-2 border-b py-3">
      <ModelPicture id={id} className="row-span-2 size-12 self-start" />
      <p className="flex flex-wrap items-baseline gap-x-2.5">
        <span className="font-title text-lg leading-6">{name}</span>
        {gems !== null && <GemAmount gems={gems} className="text-xs text-faint" />}
        {preview_models.includes(String(base_config.model_id)) && <PreviewBadge />}
      </p>
      <p className="flex flex-wrap gap-1.5">
        {slots.map(slot => (
          <Button key={slot.field} size="sm" onClick={() => onTake(slot)}>
            {slot.title}
            <span className="sr-only"> of {name}</span>
          </Button>
        ))}
      </p>
    </li>
  );
}
