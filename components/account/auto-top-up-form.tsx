'use client';

import { useQueryClient } from '@tanstack/react-query';
import { OwnAccount } from '#components/account/own-account';
import { priceText } from '#components/account/price';
import { Alert } from '#components/ui/alert';
import { Button } from '#components/ui/button';
import { Field } from '#components/ui/field';
import { GemAmount } from '#components/ui/gem-amount';
import { Input } from '#components/ui/input';
import { Refused } from '#components/ui/refused';
import { toast } from '#components/ui/toast';
import { useContractForm } from '#components/ui/use-contract-form';
import { studioApi } from '#lib/client/studio-api';
import { gemsQuery } from '#lib/client/account-queries';
import type { GemsOverviewWire } from '#lib/contract/gem-schemas';

const SUGGESTED = { threshold: 100, gems: 1000, monthly_limit: 5000 };

export function AutoTopUpForm({ gems, onSaved }: { gems: GemsOverviewWire; onSaved: () => void }) {
  const queries = useQueryClient();
  const { payment, auto_top_up, auto_topped_up } = gems;
  const { wholeNumber, submit, problem, refusal, busy, dirty, watch } = useContractForm({
    schema: async () => (await import('#lib/contract/gem-schemas')).autoTopUp,
    defaultValues: auto_top_up ?? SUGGESTED,
    send: auto_top_up => studioApi.setAutoTopUp({ body: { auto_top_up } }),
    done: overview => {
      queries.setQueryData(gemsQuery.queryKey, overview);
      onSaved();
      toast({ tone: 'good', title: 'Auto top-up is set.' });
    },
  });
  return (
    <form onSubmit={submit} noValidate className="grid gap-5">
      {!payment.automatic && (
        <Alert tone="warn" title="There is no way to pay for it yet.">
          {payment.provider === 'stripe' ? (
            'Top up once: the card you pay with is saved for this.'
          ) : (
            <OwnAccount act="Allow your account top-ups.">
              The operator has not allowed top-ups for this account. Auto top-up works once they do.
            </OwnAccount>
          )}
        </Alert>
      )}
      <Refused refusal={refusal} />
      <div className="grid gap-5 sm:grid-cols-3">
        <Field label="Keep at least" error={problem('threshold')} hint="Gems left after a request.">
          <Input {...wholeNumber('threshold')} />
        </Field>
        <Field
          label="Add at a time"
          error={problem('gems')}
          aside={priceText(watch('gems'), payment)}
          hint="A multiple of it when a request costs more."
        >
          <Input {...wholeNumber('gems')} />
        </Field>
        <Field
          label="Monthly limit"
          error={problem('monthly_limit')}
          aside={priceText(watch('monthly_limit'), payment)}
          hint={
            <>
              Added this month: <GemAmount gems={auto_topped_up} />
            </>
          }
        >
          <Input {...wholeNumber('monthly_limit')} />
        </Field>
      </div>
      <div className="flex flex-wrap items-center gap-4">
        <Button type="submit" tone="primary" busy={busy} disabled={auto_top_up !== null && !dirty}>
          {auto_top_up ? 'Save' : 'Switch on'}
        </Button>
        {payment.method && <p className="text-sm text-faint">Paid with {payment.method}</p>}
      </div>
    </form>
  );
}
