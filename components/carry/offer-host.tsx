'use client';

import { lazy, Suspense } from 'react';
import { offerCarried, useOffer } from '#components/carry/carried';
import { Coming } from '#components/ui/dialog';

const UseDialog = lazy(() => import('#components/carry/use-dialog').then(module => ({ default: module.UseDialog })));
const EditDialog = lazy(() => import('#components/edit/edit-dialog').then(module => ({ default: module.EditDialog })));
const SaveDialog = lazy(() => import('#components/carry/save-dialog').then(module => ({ default: module.SaveDialog })));

/** Shows what `offerCarried` asks; the shell holds one. */
export function OfferHost() {
  const offer = useOffer();
  if (!offer) return null;
  const close = () => offerCarried(null);
  return (
    <Suspense fallback={<Coming onClose={close} />}>
      {offer.intent === 'save' && <SaveDialog carried={offer.carried} onClose={close} />}
      {offer.intent === 'edit' && <EditDialog carried={offer.carried} onClose={close} />}
      {offer.intent !== 'save' && offer.intent !== 'edit' && <UseDialog {...offer} onClose={close} />}
    </Suspense>
  );
}
