'use client';

import { useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { InPlace, onDemand } from '#components/ui/on-demand';
import { Refused } from '#components/ui/refused';
import { Skeleton } from '#components/ui/skeleton';
import { Switch } from '#components/ui/switch';
import { toast } from '#components/ui/toast';
import { useKeptFocus } from '#components/ui/use-kept-focus';
import { studioApi } from '#lib/client/studio-api';
import { gemsQuery } from '#lib/client/account-queries';
import type { GemsOverviewWire } from '#lib/contract/gem-schemas';

const AutoTopUpForm = onDemand(async () => (await import('#components/account/auto-top-up-form')).AutoTopUpForm);

export function AutoTopUp({ gems }: { gems: GemsOverviewWire }) {
  const [wanted, setWanted] = useState(false);
  const queries = useQueryClient();
  const off = useMutation({
    mutationFn: () => studioApi.setAutoTopUp({ body: { auto_top_up: null } }),
    onSuccess: overview => {
      queries.setQueryData(gemsQuery.queryKey, overview);
      toast({ title: 'Auto top-up is off.' });
    },
  });
  const on = gems.auto_top_up !== null;
  const kept = useKeptFocus();
  const toggle = (checked: boolean) => {
    setWanted(checked);
    if (!checked && on) off.mutate();
  };
  return (
    <div {...kept} className="grid gap-5">
      <p className="max-w-prose text-sm text-soft">
        When a request costs more than you have, or leaves less than you want to keep, gems are added first.
      </p>
      <Refused refusal={off.error} />
      <Switch
        label="Top up automatically"
        checked={(on && !off.isPending) || wanted}
        onChange={event => toggle(event.target.checked)}
      />
      {(on || wanted) && (
        <InPlace fallback={<Skeleton className="h-32 w-full" />}>
          {/* remounted when changed elsewhere, because saving old values would undo that change */}
          <AutoTopUpForm key={JSON.stringify(gems.auto_top_up)} gems={gems} onSaved={() => setWanted(false)} />
        </InPlace>
      )}
    </div>
  );
}
