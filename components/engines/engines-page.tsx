'use client';

import { useState } from 'react';
import Link from 'next/link';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { ConfirmDialog } from '#components/ui/confirm-dialog';
import { EngineRow } from '#components/engines/engine-row';
import { connected } from '#components/engines/engine-types';
import { NoEngine } from '#components/engines/no-engine';
import { WorkflowList } from '#components/workflows/workflow-list';
import { Alert } from '#components/ui/alert';
import { Button } from '#components/ui/button';
import { QueryView } from '#components/ui/query-view';
import { operatorApi } from '#lib/client/operator-api';
import { enginesQuery } from '#lib/client/admin-queries';
import { orGone } from '#lib/client/or-gone';
import type { EngineWire } from '#lib/contract/engine-schemas';

/** The engines, how much work is queued for them, and the workflows. Polled every few seconds. */
export function EnginesPage() {
  const query = useQuery(enginesQuery);
  return (
    <div className="grid grid-cols-1 gap-12">
      <QueryView query={query}>
        {({ data, problems }) => (
          <div className="grid grid-cols-1 gap-8">
            {problems.map(({ file, message }) => (
              <Alert
                key={file}
                tone="bad"
                title={`${file} has an error and is not used; the last good settings still apply.`}
              >
                {message}
              </Alert>
            ))}
            {connected(data).length === 0 ? (
              <NoEngine isPreviewOff={data.length === 0} />
            ) : (
              <div className="flex flex-wrap items-end justify-between gap-4">
                <p className="max-w-prose text-soft">
                  When several make the same model, the first one is preferred. A paused engine takes no new work: its
                  requests wait.
                </p>
                <Button tone="primary" asChild>
                  <Link href="/admin/engines/connect">
                    <Plus className="size-4" aria-hidden /> Connect an engine
                  </Link>
                </Button>
              </div>
            )}
            <EngineList engines={data} />
          </div>
        )}
      </QueryView>
      <WorkflowList />
    </div>
  );
}

function EngineList({ engines }: { engines: EngineWire[] }) {
  const [removing, setRemoving] = useState<string | null>(null);
  const queries = useQueryClient();
  const of = connected(engines).length;
  if (engines.length === 0) return null;
  return (
    <section aria-labelledby="engines">
      <h2 id="engines" className="sr-only">
        Engines
      </h2>
      <ul className="grid" aria-label="Engines">
        {engines.map((engine, place) => (
          <EngineRow key={engine.id} engine={engine} place={place} of={of} onRemove={() => setRemoving(engine.id)} />
        ))}
      </ul>
      {removing !== null && (
        <ConfirmDialog
          title={`Remove ${removing}?`}
          description="It takes no more work. Its requests go to other engines, or wait; those that none takes within ten minutes fail and are refunded."
          confirm="Remove"
          onClose={() => setRemoving(null)}
          act={async () => {
            await orGone(operatorApi.removeEngine({ params: { engine_id: removing } }));
            await queries.invalidateQueries({ queryKey: ['admin'] });
          }}
        />
      )}
    </section>
  );
}
