'use client';

import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Emblem } from '#components/architectures/emblem';
import { Badge } from '#components/ui/badge';
import { EmptyState } from '#components/ui/empty-state';
import { QueryView } from '#components/ui/query-view';
import { enginesQuery } from '#lib/client/admin-queries';
import type { EngineWire } from '#lib/contract/account-schemas';

/** What makes the results, and how much waits for it; asked again every few seconds. */
export function Engines() {
  const query = useQuery(enginesQuery);
  return (
    <QueryView query={query}>
      {engines =>
        engines.length > 0 ? (
          <ul className="grid" aria-label="Engines">
            {engines.map(engine => (
              <EngineRow key={engine.id} engine={engine} />
            ))}
          </ul>
        ) : (
          <EmptyState title="No engines">Start a worker: npm run worker.</EmptyState>
        )
      }
    </QueryView>
  );
}

function EngineRow({ engine }: { engine: EngineWire }) {
  const { id, ok, servers, places, queued, in_progress, oldest_queued_seconds, architectures } = engine;
  return (
    <li className="grid gap-5 border-t py-6 first:border-t-0 first:pt-0">
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-2">
        <h2 className="font-title text-title">{id}</h2>
        <Badge tone={ok ? 'good' : servers.length === 0 ? 'warn' : 'bad'} dot>
          {ok ? 'Healthy' : servers.length === 0 ? 'No worker' : 'Does not answer'}
        </Badge>
        {servers.length === 0 && (
          <p className="basis-full text-sm text-soft">Nobody takes its requests. Start one: npm run worker.</p>
        )}
      </div>
      <dl className="grid max-w-3xl grid-cols-2 gap-x-8 gap-y-4 sm:grid-cols-4">
        <Figure name="In progress">
          {in_progress} <span className="text-base text-faint">of {places}</span>
        </Figure>
        <Figure name="Queued">{queued}</Figure>
        <Figure name="Longest wait">{oldest_queued_seconds === null ? '–' : waitText(oldest_queued_seconds)}</Figure>
        <Figure name="Servers">{servers.length}</Figure>
      </dl>
      <ul aria-label={`Architectures of ${id}`} className="flex flex-wrap gap-x-5 gap-y-2 text-sm text-soft">
        {architectures.map(architecture => (
          <li key={architecture} className="inline-flex items-center gap-2">
            <Emblem id={architecture} className="size-5" />
            {architecture}
          </li>
        ))}
      </ul>
    </li>
  );
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-0.5">
      <dt className="text-xs text-faint">{name}</dt>
      <dd className="figures font-title text-head">{children}</dd>
    </div>
  );
}

const waitText = (seconds: number): string =>
  seconds < 90
    ? `${Math.round(seconds)} s`
    : seconds < 5400
      ? `${Math.round(seconds / 60)} min`
      : `${Math.round(seconds / 3600)} h`;
