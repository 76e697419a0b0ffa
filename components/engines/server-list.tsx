'use client';

import { LacksList } from '#components/engines/lacks-list';
import { cn } from '#components/ui/cn';
import { Moment } from '#components/ui/moment';
import type { EngineWire } from '#lib/contract/engine-schemas';
import { many } from '#lib/contract/words';

type Server = EngineWire['servers'][number];

/** The servers of an engine: whether each answers, how busy it is, and which files and nodes it lacks. */
export function ServerList({ servers }: { servers: readonly Server[] }) {
  return (
    <ul aria-label="Servers" className="grid">
      {servers.map(server => (
        <li key={server.id} className="grid gap-1.5 border-t py-3 text-sm first:border-t-0 first:pt-0">
          <State {...server} />
          <Troubles {...server} />
          {server.missing.length > 0 && <LacksList lacking={server.missing} />}
        </li>
      ))}
    </ul>
  );
}

function State({ id, url, ok, version, busy, places, answered_at, loaded }: Server) {
  return (
    <p className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
      <span className="inline-flex min-w-0 items-center gap-2">
        <span aria-hidden className={cn('size-2 shrink-0 rounded-full', ok ? 'bg-leaf' : 'bg-danger')} />
        <span className="sr-only">{ok ? 'Answers: ' : 'Does not answer: '}</span>
        <code className="min-w-0 font-mono text-[0.8125rem] break-all">{url ?? id}</code>
      </span>
      {version && <span className="text-faint">{version}</span>}
      <span className="figures text-faint">
        {ok ? (
          `${busy} of ${many(places, 'place')} busy`
        ) : answered_at ? (
          <>
            last answered <Moment at={answered_at} />
          </>
        ) : (
          'has not answered yet'
        )}
      </span>
      {loaded && <span className="text-faint">has {loaded} in memory</span>}
    </p>
  );
}

function Troubles({ ok, detail, trouble, trouble_at }: Server) {
  return (
    <>
      {detail && <p className={cn('text-xs wrap-anywhere', ok ? 'text-faint' : 'text-danger')}>{detail}</p>}
      {ok && trouble && (
        <p className="text-xs wrap-anywhere text-danger">
          Its last job failed {trouble_at && <Moment at={trouble_at} />}: {trouble}
        </p>
      )}
    </>
  );
}
