'use client';

import type { ReactNode } from 'react';
import Link from 'next/link';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, Ellipsis, Pause, Pencil, Play, Trash2 } from 'lucide-react';
import { Emblem } from '#components/architectures/emblem';
import { spanOf } from '#components/generations/words';
import { ServerList } from '#components/engines/server-list';
import { typeName } from '#components/engines/engine-types';
import { Badge, type BadgeTone } from '#components/ui/badge';
import { Button } from '#components/ui/button';
import { DropdownMenu } from '#components/ui/dropdown-menu';
import type { MenuItem } from '#components/ui/dropdown-menu-open';
import { IconButton } from '#components/ui/icon-button';
import { toast } from '#components/ui/toast';
import { operatorApi } from '#lib/client/operator-api';
import type { EngineWire } from '#lib/contract/engine-schemas';
import { sum } from '#lib/sum';

/** Current state of an engine. `place` is its position in the order of preference, and `of` the number of engines. */
export function EngineRow({
  engine,
  place,
  of,
  onRemove,
}: {
  engine: EngineWire;
  place: number;
  of: number;
  onRemove: () => void;
}) {
  const { id, type, from, servers, architectures } = engine;
  const isOurs = from !== 'built-in';
  return (
    <li className="grid grid-cols-1 gap-5 border-t py-6 first:border-t-0 first:pt-0">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <div className="grid min-w-0 grow gap-1">
          <h3 className="flex flex-wrap items-baseline gap-x-3 font-title text-title">
            {id} <StateOf engine={engine} />
          </h3>
          <p className="text-sm text-soft">
            {isOurs ? typeName(type) : 'Built in: draws what no other engine makes'}
            {from === 'setting' && ', from COMFYUI_URL'}
          </p>
        </div>
        {isOurs && <Acts engine={engine} place={place} of={of} onRemove={onRemove} />}
      </div>
      <Figures engine={engine} />
      {isOurs && <ServerList servers={servers} />}
      {architectures.length > 0 ? (
        <ul aria-label={`What ${id} makes`} className="flex flex-wrap gap-x-5 gap-y-2 text-sm text-soft">
          {architectures.map(architecture => (
            <li key={architecture} className="inline-flex items-center gap-2">
              <Emblem id={architecture} className="size-5" />
              {architecture}
            </li>
          ))}
        </ul>
      ) : (
        <p className="text-sm text-faint">{whyNothing(engine)}</p>
      )}
    </li>
  );
}

function whyNothing({ from, servers }: EngineWire): string {
  if (from === 'built-in') return 'Other engines make everything.';
  if (servers.every(({ answered_at }) => answered_at === null)) return 'It makes nothing before a server has answered.';
  if (servers.every(({ missing }) => missing.length > 0))
    return 'It makes nothing yet: other engines are preferred, or it lacks what it needs.';
  return 'It makes nothing: other engines are preferred, or nothing is chosen for it.';
}

export function StateOf({ engine: { paused, servers, ok, from } }: { engine: EngineWire }) {
  const silent = servers.filter(server => !server.ok).length;
  const failing = servers.filter(server => server.trouble).length;
  const [tone, text]: [BadgeTone, string] = paused
    ? ['neutral', 'Paused']
    : servers.length === 0
      ? ['warn', from === 'built-in' ? 'No worker' : 'Being checked']
      : !ok
        ? ['bad', 'Does not answer']
        : silent > 0
          ? ['warn', `${silent} of ${servers.length} do not answer`]
          : failing > 0
            ? ['warn', servers.length > 1 ? `Jobs fail at ${failing} of ${servers.length}` : 'Jobs fail']
            : ['good', 'Healthy'];
  return (
    <Badge tone={tone} dot className="self-center font-sans">
      {text}
    </Badge>
  );
}

/** Number of busy places. A request whose result is being stored is in progress, too, but takes no place. */
export const busyOf = ({ servers }: EngineWire): number => sum(servers.map(({ busy }) => busy));

function Figures({ engine }: { engine: EngineWire }) {
  const { servers, places, queued, oldest_queued_seconds, median_seconds, from } = engine;
  if (servers.length === 0)
    return (
      <p className="text-sm text-soft">
        {from === 'built-in'
          ? 'No worker takes its requests. Start one: npm run worker.'
          : 'A worker checks its servers within seconds. If nothing changes, start one: npm run worker.'}
      </p>
    );
  return (
    <dl className="grid max-w-3xl grid-cols-2 gap-x-8 gap-y-4 sm:grid-cols-5">
      <Figure name="Places busy">
        {busyOf(engine)} <span className="text-base text-faint">of {places}</span>
      </Figure>
      <Figure name="Queued">{queued}</Figure>
      <Figure name="Longest wait">{oldest_queued_seconds === null ? '–' : spanOf(oldest_queued_seconds)}</Figure>
      <Figure name="Typical time">{median_seconds === null ? '–' : timeOf(median_seconds)}</Figure>
      <Figure name={from === 'built-in' ? 'Workers' : 'Servers'}>{servers.length}</Figure>
    </dl>
  );
}

const timeOf = (seconds: number) => (seconds < 10 ? `${seconds.toFixed(1)} s` : spanOf(seconds));

export function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-0.5">
      <dt className="text-xs text-faint">{name}</dt>
      <dd className="figures font-title text-head">{children}</dd>
    </div>
  );
}

function Acts({
  engine: { id, paused },
  place,
  of,
  onRemove,
}: {
  engine: EngineWire;
  place: number;
  of: number;
  onRemove: () => void;
}) {
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: (body: { paused?: boolean; place?: number }) =>
      operatorApi.changeEngine({ params: { engine_id: id }, body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['admin'] }),
    onError: error => toast({ tone: 'bad', title: `${id} was not changed.`, description: error.message }),
  });
  const move = (to: number) => () => change.mutate({ place: to });
  const items: MenuItem[] = [
    { label: 'Move up', icon: <ArrowUp aria-hidden />, onSelect: move(place - 1), disabled: place === 0 },
    { label: 'Move down', icon: <ArrowDown aria-hidden />, onSelect: move(place + 1), disabled: place === of - 1 },
    { kind: 'line' },
    { label: 'Remove', icon: <Trash2 aria-hidden />, onSelect: onRemove, danger: true },
  ];
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="sm" asChild>
        <Link href={`/admin/engines/edit/${id}`}>
          <Pencil className="size-4" aria-hidden /> Edit and test<span className="sr-only"> {id}</span>
        </Link>
      </Button>
      <Button
        size="sm"
        busy={change.isPending}
        title={paused ? undefined : 'It takes no new work: running jobs are finished, requests wait'}
        onClick={() => change.mutate({ paused: !paused })}
      >
        {!change.isPending &&
          (paused ? <Play className="size-4" aria-hidden /> : <Pause className="size-4" aria-hidden />)}
        {paused ? 'Resume' : 'Pause'}
        <span className="sr-only"> {id}</span>
      </Button>
      <DropdownMenu
        align="end"
        items={items}
        trigger={
          <IconButton
            size="sm"
            tone="plain"
            label={`More for ${id}`}
            icon={<Ellipsis className="size-4" aria-hidden />}
          />
        }
      />
    </div>
  );
}
