'use client';

import Link from 'next/link';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { RequestRow } from '#components/admin/request-row';
import { busyOf, Figure, StateOf } from '#components/engines/engine-row';
import { connected, typeName } from '#components/engines/engine-types';
import { NoEngine } from '#components/engines/no-engine';
import { spanOf } from '#components/generations/words';
import { EmptyState } from '#components/ui/empty-state';
import { ListRows } from '#components/ui/list-rows';
import { Panel } from '#components/ui/panel';
import { PagesView } from '#components/ui/pages-view';
import { QueryView } from '#components/ui/query-view';
import { TextLink } from '#components/ui/text-link';
import { allRequestsQuery, enginesQuery } from '#lib/client/admin-queries';
import type { EngineWire } from '#lib/contract/engine-schemas';
import { many } from '#lib/contract/words';
import { sum } from '#lib/sum';

const SHOWN = 5;

/** Start page of operators: connected engines, queued work and recent failures. */
export function Overview() {
  const engines = useQuery(enginesQuery);
  const failed = useInfiniteQuery(allRequestsQuery('failed'));
  return (
    <div className="grid grid-cols-1 gap-12">
      <QueryView query={engines} skeleton={<ListRows />}>
        {({ data }) => (
          <div className="grid grid-cols-1 gap-10">
            {connected(data).length === 0 && <NoEngine isPreviewOff={data.length === 0} />}
            <Load engines={data} />
            {data.length > 0 && <Engines engines={data} />}
          </div>
        )}
      </QueryView>
      <Panel
        title="Recent failures"
        aside={
          <TextLink href="/admin/requests" className="finger-line text-sm decoration-1">
            All requests
          </TextLink>
        }
      >
        <PagesView query={{ ...failed, hasNextPage: false }} skeleton={<ListRows />}>
          {rows =>
            rows.length > 0 ? (
              <ul aria-label="Failed requests" className="grid">
                {rows.slice(0, SHOWN).map(request => (
                  <RequestRow key={request.request_id} request={request} />
                ))}
              </ul>
            ) : (
              <EmptyState title="Nothing failed">
                Failed requests appear here with their cause. They are refunded.
              </EmptyState>
            )
          }
        </PagesView>
      </Panel>
    </div>
  );
}

function Load({ engines }: { engines: EngineWire[] }) {
  const waits = engines.flatMap(({ oldest_queued_seconds }) => oldest_queued_seconds ?? []);
  return (
    <dl className="grid max-w-3xl grid-cols-2 gap-x-8 gap-y-4 sm:grid-cols-3">
      <Figure name="Places busy">
        {sum(engines.map(busyOf))}{' '}
        <span className="text-base text-faint">of {sum(engines.map(({ places }) => places))}</span>
      </Figure>
      <Figure name="Queued">{sum(engines.map(({ queued }) => queued))}</Figure>
      <Figure name="Longest wait">{waits.length > 0 ? spanOf(Math.max(...waits)) : '–'}</Figure>
    </dl>
  );
}

function Engines({ engines }: { engines: EngineWire[] }) {
  return (
    <Panel
      title="Engines"
      aside={
        <TextLink href="/admin/engines" className="finger-line text-sm decoration-1">
          All engines
        </TextLink>
      }
    >
      <ul aria-label="Engines" className="grid">
        {engines.map(engine => (
          <li
            key={engine.id}
            className="flex flex-wrap items-baseline gap-x-6 gap-y-1 border-t py-3 first:border-t-0 first:pt-0"
          >
            <span className="min-w-40 grow">
              {engine.from === 'built-in' ? (
                engine.id
              ) : (
                <Link href={`/admin/engines/edit/${engine.id}`} className="hover:text-accent-ink">
                  {engine.id}
                </Link>
              )}{' '}
              <span className="text-sm text-faint">{typeName(engine.type)}</span>
            </span>
            <span className="figures text-sm text-soft">{many(engine.architectures.length, 'architecture')}</span>
            <StateOf engine={engine} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}
