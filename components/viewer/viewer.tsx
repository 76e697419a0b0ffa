'use client';

import { useEffect, type ComponentType, type ReactNode } from 'react';
import { useIsFetching, useQuery } from '@tanstack/react-query';
import { faultOf } from '#components/viewer/fault-of';
import type { ViewerActsProps } from '#components/viewer/viewer-acts';
import { ViewerFacts } from '#components/viewer/viewer-facts';
import { ViewerPrompt } from '#components/viewer/viewer-prompt';
import { ViewerStage } from '#components/viewer/viewer-stage';
import { useLive } from '#components/generations/use-live';
import { Alert } from '#components/ui/alert';
import { cn } from '#components/ui/cn';
import { Skeleton } from '#components/ui/skeleton';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import { catalogQuery, requestQuery } from '#lib/client/queries';
import type { RequestDetailWire, RequestWire } from '#lib/contract/schemas';

/** One request in full: its media, details and actions. Kept up to date while the request is live. */
export function Viewer({
  id,
  known,
  first,
  entries,
  onDelete,
  Acts,
  controls,
}: {
  id: string;
  /** The request as a list has it, until its detail has loaded. */
  known?: RequestWire | undefined;
  /** The detail, when it came with the document. */
  first?: RequestDetailWire;
  entries: readonly CatalogEntry[];
  onDelete: (request: RequestWire) => void;
  /** `ViewerActs`: part of the viewer's code in the dialog, loaded separately on the result page. */
  Acts: ComponentType<ViewerActsProps>;
  /** Controls at the top of the panel. */
  controls: ReactNode;
}) {
  const { data, error, refetch } = useQuery({ ...requestQuery(id), ...(first && { initialData: first }) });
  // the request may have been deleted in another window while this one stayed visible
  useEffect(() => {
    const look = () => void refetch();
    addEventListener('focus', look);
    return () => removeEventListener('focus', look);
  }, [refetch]);
  // some actions need the catalog, and would move the facts if they came after them
  const isComing = useIsFetching({ queryKey: catalogQuery.queryKey }) > 0 && entries.length === 0;
  const growing = useLive().find(({ request_id }) => request_id === id);
  const whole = data ?? known;
  const request = whole && growing ? { ...whole, ...growing } : whole;
  return (
    <div className="flex min-h-0 grow flex-col overflow-y-auto bg-sunk lg:flex-row lg:overflow-hidden">
      <div className="relative h-[62dvh] shrink-0 max-lg:min-h-[min(18rem,max(288px,85dvh))] max-md:in-[main]:h-[54dvh] lg:h-auto lg:min-w-0 lg:shrink lg:grow">
        {request ? (
          <ViewerStage key={`${id} ${request.status}`} request={request} />
        ) : (
          !error && <Skeleton className="absolute inset-8" />
        )}
      </div>
      <div className="grid w-full shrink-0 content-start gap-6 bg-raised p-5 lg:w-96 lg:overflow-y-auto lg:border-l lg:p-6">
        {controls}
        {error && !data && (
          <Alert tone="bad" title="This did not load.">
            {faultOf(error)}
          </Alert>
        )}
        {request && (
          <>
            <ViewerPrompt request={request} />
            <div className={cn('contents', isComing && 'invisible')}>
              <Acts request={request} entries={entries} onDelete={onDelete} />
              <ViewerFacts request={request} entry={entries.find(entry => entry.id === request.architecture)} />
            </div>
          </>
        )}
      </div>
    </div>
  );
}
