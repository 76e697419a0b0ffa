'use client';

import { useQuery } from '@tanstack/react-query';
import { useRequestActs } from '#components/generations/use-request-acts';
import { onDemand, Opening } from '#components/ui/on-demand';
import { replaceAddress, useViewAddress, viewedNow } from '#components/viewer/use-view-address';
import { catalogQuery } from '#lib/client/queries';
import type { RequestWire } from '#lib/contract/schemas';

const ViewerDialog = onDemand(async () => (await import('#components/viewer/viewer-dialog')).ViewerDialog);
const CompareDialog = onDemand(async () => (await import('#components/viewer/compare-dialog')).CompareDialog);

/** The viewer and the comparison over a list of results, when the address asks for them. */
export function Viewing({
  requests,
  onNearEnd,
  onPastEnd,
}: {
  /** In the order of the page behind: arrows follow it. */
  requests: readonly RequestWire[];
  /** Where there is more: asks for it. */
  onNearEnd?: (() => void) | undefined;
  /** Where there is more that did not come: asks for it again. */
  onPastEnd?: (() => unknown) | undefined;
}) {
  const { viewed, compared } = useViewAddress();
  // what can be done with a result is asked for beside the viewer itself
  const { data: entries = [] } = useQuery({ ...catalogQuery, enabled: viewed !== null });
  const { remove } = useRequestActs();
  const placeOf = (id: string | null) => requests.findIndex(({ request_id }) => request_id === id);
  const go = (step: number) => {
    const at = placeOf(viewedNow());
    const next = at >= 0 && requests[at + step];
    if (next) replaceAddress({ view: next.request_id });
  };
  // the viewer goes on to the neighbour of what is deleted from it; what the list does not have, has none
  const removeViewed = (request: RequestWire) => {
    const at = placeOf(request.request_id);
    const next = at >= 0 ? (requests[at + 1] ?? requests[at - 1]) : undefined;
    replaceAddress({ view: next?.request_id ?? null });
    remove([request]);
  };
  return (
    // what did not come is not asked for again while the browser goes back
    <Opening onClose={() => replaceAddress({ view: null, compare: null })}>
      {viewed && (
        <ViewerDialog
          id={viewed}
          requests={requests}
          entries={entries}
          onGo={go}
          onNearEnd={onNearEnd}
          onPastEnd={onPastEnd}
          onDelete={removeViewed}
        />
      )}
      {compared.length > 1 && <CompareDialog ids={compared} />}
    </Opening>
  );
}
