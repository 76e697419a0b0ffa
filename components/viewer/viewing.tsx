'use client';

import { useQuery } from '@tanstack/react-query';
import { onDemand, Opening } from '#components/ui/on-demand';
import { replaceAddress, useViewAddress } from '#components/viewer/use-view-address';
import { catalogQuery } from '#lib/client/queries';
import type { RequestWire } from '#lib/contract/schemas';

const ViewerDialog = onDemand(async () => (await import('#components/viewer/viewer-dialog')).ViewerDialog);
const CompareDialog = onDemand(async () => (await import('#components/viewer/compare-dialog')).CompareDialog);

/** Shows the viewer or the comparison over a list of results, as the address says. */
export function Viewing({
  requests,
  onNearEnd,
  onPastEnd,
}: {
  /** Requests in the order of the page, which arrow keys follow. */
  requests: readonly RequestWire[];
  /** Loads the next page; set when there is one. */
  onNearEnd?: (() => void) | undefined;
  /** Retries the next page; set when it failed to load. */
  onPastEnd?: (() => unknown) | undefined;
}) {
  const { viewed, compared } = useViewAddress();
  // the catalog, which the actions need, loads in parallel with the code of the viewer
  const { data: entries = [] } = useQuery({ ...catalogQuery, enabled: viewed !== null });
  return (
    // replaces the address instead of going back, during which the failed code would be requested again
    <Opening onClose={() => replaceAddress({ view: null, compare: null })}>
      {viewed && (
        <ViewerDialog id={viewed} requests={requests} entries={entries} onNearEnd={onNearEnd} onPastEnd={onPastEnd} />
      )}
      {compared.length > 1 && <CompareDialog ids={compared} />}
    </Opening>
  );
}
