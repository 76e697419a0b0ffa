'use client';

import { offerCarried, useOffer } from '#components/carry/carried';
import { onDemand, Opening } from '#components/ui/on-demand';

const UseDialog = onDemand(async () => (await import('#components/carry/use-dialog')).UseDialog);
const EditDialog = onDemand(async () => (await import('#components/edit/edit-dialog')).EditDialog);
const SaveDialog = onDemand(async () => (await import('#components/carry/save-dialog')).SaveDialog);

/** Shows the dialog that `offerCarried` opens. Rendered once, in the shell. */
export function OfferHost() {
  const offer = useOffer();
  if (!offer) return null;
  const close = () => offerCarried(null);
  return (
    <Opening onClose={close}>
      {offer.intent === 'save' && <SaveDialog carried={offer.carried} onClose={close} />}
      {offer.intent === 'edit' && <EditDialog carried={offer.carried} onClose={close} />}
      {offer.intent !== 'save' && offer.intent !== 'edit' && <UseDialog {...offer} onClose={close} />}
    </Opening>
  );
}
