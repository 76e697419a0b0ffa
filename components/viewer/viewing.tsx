'use client';

import { useQuery } from '@tanstack/react-query';
import { onDemand, Opening } from '#components/ui/on-demand';
import { replaceAddress, useViewAddress } from '#components/viewer/use-view-address';
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
  return (
    // what did not come is not asked for again while the browser goes back
    <Opening onClose={() => replaceAddress({ view: null, compare: null })}>
      {viewed && (
        <ViewerDialog id={viewed} requests={requests} entries={entries} onNearEnd={onNearEnd} onPastEnd={onPastEnd} />
      )}
      {compared.length > 1 && <CompareDialog ids={compared} />}
    </Opening>
  );
}
