'use client';

import { Plus, X } from 'lucide-react';
import type { Problem } from '#components/engines/problem';
import { SecretField } from '#components/engines/secret-field';
import { Button } from '#components/ui/button';
import { Field } from '#components/ui/field';
import { IconButton } from '#components/ui/icon-button';
import { Input } from '#components/ui/input';
import type { EngineEntryWire } from '#lib/contract/engine-schemas';

type Servers = EngineEntryWire['servers'];

/** The servers of an engine. Work goes to any server that is free and has the model. */
export function ServersField({
  servers,
  known,
  problem,
  onChange,
}: {
  servers: Servers;
  /** The servers as saved, whose secrets can be kept. */
  known: Servers;
  problem: Problem;
  onChange: (servers: Servers) => void;
}) {
  const set = (at: number, part: Partial<Servers[number]>) =>
    onChange(servers.map((server, index) => (index === at ? { ...server, ...part } : server)));
  return (
    <div className="grid gap-5">
      <ul className="grid gap-5">
        {servers.map(({ id, url, secret, places }, at) => (
          <li key={id} className="grid gap-4 border-t pt-5 first:border-t-0 first:pt-0">
            <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-4 sm:grid-cols-[minmax(0,1fr)_9rem_auto]">
              <Field label="Address" error={problem(`/servers/${at}/url`)} className="max-sm:col-span-2">
                <Input
                  value={url}
                  inputMode="url"
                  autoComplete="off"
                  spellCheck={false}
                  onChange={event => set(at, { url: event.target.value })}
                />
              </Field>
              <Field label="Jobs at a time" error={problem(`/servers/${at}/places`)}>
                <Input
                  type="number"
                  min={1}
                  value={places ?? ''}
                  placeholder="default"
                  onChange={event => set(at, { places: event.target.value === '' ? null : Number(event.target.value) })}
                />
              </Field>
              <IconButton
                label={`Remove ${url || 'this server'}`}
                icon={<X className="size-4" aria-hidden />}
                disabled={servers.length === 1}
                className="mt-6.5"
                onClick={() => onChange(servers.filter((_, index) => index !== at))}
              />
            </div>
            <SecretField
              value={secret}
              error={problem(`/servers/${at}/secret`)}
              mayBeKept={known.some(one => one.id === id && one.secret !== null && 'kept' in one.secret)}
              onChange={secret => set(at, { secret })}
            />
          </li>
        ))}
      </ul>
      <Button
        size="sm"
        className="justify-self-start"
        onClick={() => onChange([...servers, { id: freeId(servers), url: '', secret: null, places: null }])}
      >
        <Plus className="size-4" aria-hidden /> Add a server
      </Button>
    </div>
  );
}

function freeId(servers: Servers): string {
  for (let nth = 1; ; nth++) if (!servers.some(({ id }) => id === `server${nth}`)) return `server${nth}`;
}
