'use client';

import type { ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import { isHosted, typeName } from '#components/engines/engine-types';
import { Found } from '#components/engines/found';
import { Alert } from '#components/ui/alert';
import { Button } from '#components/ui/button';
import { useKeptFocus } from '#components/ui/use-kept-focus';
import type { EngineEntryWire, ExaminationWire } from '#lib/contract/engine-schemas';

/** What was found at the first server of a connected engine, with a button to check again. */
export function AtServer({
  entry: { type, servers },
  query,
}: {
  entry: EngineEntryWire;
  query: UseQueryResult<ExaminationWire>;
}) {
  const { data: found, error, isFetching, refetch } = query;
  // the button moves when the next check has another outcome
  const kept = useKeptFocus();
  const again = (
    <Button size="sm" busy={isFetching} onClick={() => void refetch()}>
      Check again
    </Button>
  );
  if (!found && !error) return <output className="text-sm text-soft">Checking what is at {servers[0]!.url}</output>;
  return (
    <div {...kept} className="grid grid-cols-1 gap-4">
      {error && (
        <Alert tone="bad" title={`It was not possible to check ${servers[0]!.url}.`} action={again}>
          {error.message}
        </Alert>
      )}
      {found && <Seen found={found} type={type} again={!error && again} />}
    </div>
  );
}

function Seen({ found, type, again }: { found: ExaminationWire; type: string; again: ReactNode }) {
  if (found.wants_secret) return <SecretWanted found={found} action={again} />;
  if (found.type === null) return <Unknown found={found} action={again} />;
  if (found.type !== type)
    return (
      <Alert
        tone="warn"
        title={`${found.url} was ${typeName(type)} and is now ${typeName(found.type)}.`}
        action={again}
      />
    );
  return <Found found={found} action={again} />;
}

export function SecretWanted({ found: { type, url, detail }, action }: { found: ExaminationWire; action?: ReactNode }) {
  const who =
    type && isHosted(type) ? `${typeName(type)} needs the key of your account there.` : `${url} needs a secret.`;
  return (
    <Alert tone="warn" title={who} action={action}>
      {detail}
    </Alert>
  );
}

export function Unknown({
  found: { url, detail },
  action,
  children,
}: {
  found: ExaminationWire;
  action?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <Alert tone="warn" title={`Nothing that Pomona can use was found at ${url}.`} action={action}>
      <p>{detail}</p>
      {children}
    </Alert>
  );
}
