'use client';

import { useQuery } from '@tanstack/react-query';
import { Progress } from '#components/ui/progress';
import { QueryView } from '#components/ui/query-view';
import { formatBytes } from '#components/ui/format-bytes';
import { quotasQuery } from '#lib/client/account-queries';

/** Quotas of the account and how much of each is used. */
export function Quotas() {
  const query = useQuery(quotasQuery);
  return (
    <QueryView query={query}>
      {quotas => (
        <dl className="grid grid-cols-1 gap-x-10 gap-y-6 sm:grid-cols-2">
          {quotas.map(({ setting, about, unit, used, most }) => {
            const figure = (value: number) => (unit === 'bytes' ? formatBytes(value) : value.toLocaleString('en'));
            return (
              <div key={setting} className="grid content-start gap-2">
                <dt className="text-sm text-soft">{about}</dt>
                <dd className="grid gap-2">
                  <p className="figures">
                    {figure(used)} <span className="text-faint">of {figure(most)}</span>
                  </p>
                  <Progress value={Math.min(1, used / most)} label={about} />
                </dd>
              </div>
            );
          })}
        </dl>
      )}
    </QueryView>
  );
}
