'use client';

import type { ReactNode } from 'react';
import { ChangeBudgetDialog } from '#components/account/change-budget-dialog';
import type { CreatedKey } from '#components/account/create-key-form';
import { KeyUsageDialog } from '#components/account/key-usage-dialog';
import { RevokeKeyDialog } from '#components/account/revoke-key-dialog';
import { RollKeyDialog } from '#components/account/roll-key-dialog';
import { isOver } from '#components/generations/words';
import { Badge } from '#components/ui/badge';
import { cn } from '#components/ui/cn';
import { GemAmount } from '#components/ui/gem-amount';
import { Moment } from '#components/ui/moment';
import type { ApiKeyWire } from '#lib/contract/api-key-schemas';
import { SCOPE_WORDS, type Scope } from '#lib/scopes';

interface KeyActs {
  /** Names of the architectures, by id. */
  names: Record<string, string>;
  onRolled: (key: CreatedKey) => void;
}

/** A list of API keys, or of connected apps, whose keys are not shown to the user. */
export function KeyList({ keys, label, ...acts }: { keys: readonly ApiKeyWire[]; label: string } & KeyActs) {
  return (
    <ul className="grid" aria-label={label}>
      {keys.map(key => (
        <KeyRow key={key.id} apiKey={key} {...acts} />
      ))}
    </ul>
  );
}

function KeyRow({ apiKey, names, onRolled }: { apiKey: ApiKeyWire } & KeyActs) {
  const { name, app, last_four, scopes, in_flight_limit, previous, monthly_budget, spent_this_month } = apiKey;
  const { revoked_at, last_used_at, last_address, created_at } = apiKey;
  const end = endOf(apiKey);
  const dead = end?.isPast ?? false;
  return (
    <li className="grid items-center gap-x-6 gap-y-3 border-t py-4 sm:grid-cols-[minmax(0,1fr)_auto]">
      <div className="grid min-w-0 gap-1">
        <p className={cn('flex flex-wrap items-baseline gap-x-3 gap-y-1', dead && 'text-soft')}>
          <span className="font-medium wrap-anywhere">{name}</span>
          <code className="font-mono text-xs text-faint">{app ? app.returns_to : `…${last_four}`}</code>
          {end?.isPast && <Badge tone={revoked_at ? 'neutral' : 'warn'}>{end.name}</Badge>}
        </p>
        <dl className="flex flex-wrap gap-x-5 gap-y-0.5 text-xs text-faint">
          <Fact name="May">{scopes?.map(mayWords).join('; ') ?? 'everything'}</Fact>
          <Fact name="Last used">
            {last_used_at ? <Moment at={last_used_at} /> : 'never'}
            {last_address && <> from {last_address}</>}
          </Fact>
          <Fact name={app ? 'Connected' : 'Created'}>
            <Moment at={created_at} as="day" />
          </Fact>
          {end && (
            <Fact name={end.name}>
              <Moment at={end.at} />
            </Fact>
          )}
          <Fact name="This month">
            <GemAmount gems={spent_this_month} />
            {monthly_budget !== null && <> of {monthly_budget.toLocaleString('en')}</>}
          </Fact>
          {in_flight_limit !== null && <Fact name="In flight">at most {in_flight_limit}</Fact>}
        </dl>
        {monthly_budget !== null && !dead && <Budget spent={spent_this_month} budget={monthly_budget} name={name} />}
        {previous && !dead && (
          <p className="text-xs text-amber">
            …{previous.last_four} still works, until <Moment at={previous.until} as="minute" />.{' '}
            {previous.last_used_at ? (
              <>
                Last used <Moment at={previous.last_used_at} />
              </>
            ) : (
              'Not used since'
            )}
            .
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <KeyUsageDialog apiKey={apiKey} names={names} />
        {!dead && <ChangeBudgetDialog apiKey={apiKey} />}
        {!dead && !app && <RollKeyDialog apiKey={apiKey} onRolled={onRolled} />}
        {!revoked_at && <RevokeKeyDialog apiKey={apiKey} />}
      </div>
    </li>
  );
}

/** Returns what a scope allows, as words within a sentence. */
const mayWords = (scope: Scope): string => SCOPE_WORDS[scope][0]!.toLowerCase() + SCOPE_WORDS[scope].slice(1);

/** Returns when a key ends or ended, with a label; null when it does not expire. */
function endOf({ app, revoked_at, expires_at }: ApiKeyWire): { name: string; at: string; isPast: boolean } | null {
  if (revoked_at) return { name: app ? 'Disconnected' : 'Revoked', at: revoked_at, isPast: true };
  if (expires_at === null) return null;
  const isPast = isOver(expires_at);
  return { name: isPast ? 'Expired' : 'Expires', at: expires_at, isPast };
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex gap-1.5">
      <dt>{name}</dt>
      <dd className="text-soft">{children}</dd>
    </div>
  );
}

function Budget({ spent, budget, name }: { spent: number; budget: number; name: string }) {
  return (
    <progress
      aria-label={`Spent of the budget of ${name}`}
      value={Math.min(Math.max(spent, 0), budget)}
      max={Math.max(budget, 1)}
      className="progress mt-1 max-w-64"
    />
  );
}
