'use client';

import { useQueryClient } from '@tanstack/react-query';
import { priceText } from '#components/account/price';
import { Button } from '#components/ui/button';
import { DialogSubmit } from '#components/ui/dialog-submit';
import { Field } from '#components/ui/field';
import { GemAmount } from '#components/ui/gem-amount';
import { Input } from '#components/ui/input';
import { once } from '#components/ui/once';
import { Refused } from '#components/ui/refused';
import { toast } from '#components/ui/toast';
import { useContractForm } from '#components/ui/use-contract-form';
import { studioApi } from '#lib/client/studio-api';
import type { GemsOverviewWire } from '#lib/contract/gem-schemas';
import { many } from '#lib/contract/words';

export function TopUpForm({
  gems: { payment },
  onBooked,
  onDirty,
}: {
  gems: GemsOverviewWire;
  onBooked: () => void;
  onDirty: (is: boolean) => void;
}) {
  const queries = useQueryClient();
  const start = Math.min(1000, payment.allowance ?? 1000);
  const { wholeNumber, setValue, watch, submit, problem, refusal, busy } = useContractForm({
    schema: async () => (await import('#lib/contract/gem-schemas')).topUp,
    defaultValues: { gems: start },
    send: body => once('top-up', body, key => studioApi.topUp({ body, headers: { 'idempotency-key': key } })),
    done: ({ url, payment: { gems, error }, balance }) => {
      if (url) return location.assign(url);
      void queries.invalidateQueries({ queryKey: ['account'] });
      onBooked();
      if (error) toast({ tone: 'bad', title: 'The top-up failed.', description: error });
      else
        toast({
          tone: 'good',
          title: `${many(gems, 'gem')} added.`,
          description: `Your balance is now ${balance.toLocaleString('en')}.`,
        });
    },
    onDirty,
  });
  const price = priceText(watch('gems'), payment);
  return (
    <form onSubmit={submit} noValidate className="grid gap-5">
      <Refused refusal={refusal} />
      <Field label="Gems" error={problem('gems')} aside={price}>
        <Input {...wholeNumber('gems', 1)} />
      </Field>
      <div className="flex flex-wrap gap-2">
        {[500, 1000, 5000]
          .filter(amount => amount <= (payment.allowance ?? Infinity))
          .map(amount => (
            <Button
              key={amount}
              size="sm"
              onClick={() => setValue('gems', amount, { shouldDirty: true, shouldValidate: true })}
            >
              <GemAmount gems={amount} />
            </Button>
          ))}
      </div>
      <DialogSubmit busy={busy}>{price ? `Pay ${price}` : 'Add gems'}</DialogSubmit>
    </form>
  );
}
