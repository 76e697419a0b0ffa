'use client';

import { useQueryClient } from '@tanstack/react-query';
import { DialogSubmit } from '#components/ui/dialog-submit';
import { Field } from '#components/ui/field';
import { Input } from '#components/ui/input';
import { Refused } from '#components/ui/refused';
import { asText, useContractForm } from '#components/ui/use-contract-form';
import { EventInput } from '#components/webhooks/event-input';
import { api } from '#lib/client/queries';
import type { CreatedWebhookWire, WebhookWire } from '#lib/contract/webhook-schemas';
import { EVENTS, type Event } from '#lib/events';

export function WebhookForm({
  webhook,
  onDone,
  onDirty,
}: {
  webhook: WebhookWire | undefined;
  onDone: (added?: CreatedWebhookWire) => void;
  onDirty: (is: boolean) => void;
}) {
  const queries = useQueryClient();
  const { register, setValue, watch, submit, problem, refusal, busy } = useContractForm({
    schema: async () => (await import('#lib/contract/webhook-schemas')).newWebhook,
    defaultValues: {
      url: webhook?.url ?? '',
      description: webhook?.description ?? null,
      events: webhook?.events ?? [...EVENTS],
    },
    send: async (body, changed) => {
      if (!webhook) return api.createWebhook({ body });
      await api.changeWebhook({ params: { webhook_id: webhook.id }, body: changed });
      return undefined;
    },
    done: added => {
      void queries.invalidateQueries({ queryKey: ['webhooks'] });
      onDone(added);
    },
    onDirty,
  });
  const setEvents = (events: Event[]) => setValue('events', events, { shouldDirty: true });
  return (
    <form onSubmit={submit} noValidate className="grid grid-cols-1 gap-5">
      <Refused refusal={refusal} />
      <Field label="Address" error={problem('url')} hint="An https address that answers with 2xx within 15 seconds.">
        <Input inputMode="url" autoComplete="off" placeholder="https://" {...register('url')} />
      </Field>
      <Field label="Name" aside="optional" error={problem('description')} hint="For you, such as “order desk”.">
        <Input autoComplete="off" {...register('description', { setValueAs: asText })} />
      </Field>
      <EventInput value={watch('events') ?? []} onChange={setEvents} error={problem('events')} />
      <DialogSubmit busy={busy}>{webhook ? 'Save' : 'Add webhook'}</DialogSubmit>
    </form>
  );
}
