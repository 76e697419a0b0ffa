'use client';

import { useQueryClient } from '@tanstack/react-query';
import { Button } from '#components/ui/button';
import { Checkbox } from '#components/ui/checkbox';
import { Field } from '#components/ui/field';
import { Input } from '#components/ui/input';
import { Refused } from '#components/ui/refused';
import { toast } from '#components/ui/toast';
import { useContractForm } from '#components/ui/use-contract-form';
import { studioApi } from '#lib/client/studio-api';
import { noticesQuery } from '#lib/client/account-queries';
import type { NoticesWire } from '#lib/contract/notice-schemas';
import { CHANNELS, NOTICES, type Channel, type Mute, type Notice } from '#lib/events';

const KINDS: Record<Notice, string> = {
  'balance.low': 'Gems run low',
  'media.expiring': 'Results are about to expire',
  'webhook.failing': 'A webhook does not answer',
};
const WAYS: Record<Channel, string> = { studio: 'Here', mail: 'By mail' };

/** Settings that turn each kind of notice on or off, per channel. */
export function NoticeSettings({ notices: { settings, mail } }: { notices: NoticesWire }) {
  const queries = useQueryClient();
  const { wholeNumber, setValue, watch, submit, problem, refusal, busy, dirty } = useContractForm({
    schema: async () => (await import('#lib/contract/notice-schemas')).noticeSettings,
    defaultValues: settings,
    send: body => studioApi.setNotices({ body }),
    done: notices => {
      queries.setQueryData(noticesQuery.queryKey, notices);
      toast({ tone: 'good', title: 'Saved.' });
    },
  });
  const muted = watch('muted');
  const toggle = (mute: Mute, on: boolean) =>
    setValue('muted', on ? muted.filter(one => one !== mute) : [...muted, mute], { shouldDirty: true });
  return (
    <form onSubmit={submit} noValidate className="grid gap-6">
      <Refused refusal={refusal} />
      <div className="grid max-w-2xl gap-4">
        {NOTICES.map(kind => (
          <fieldset key={kind} className="flex flex-wrap items-baseline gap-x-8 gap-y-2">
            <legend className="contents">
              <span className="grow basis-full text-sm sm:basis-60">{KINDS[kind]}</span>
            </legend>
            {CHANNELS.map(channel => (
              <Checkbox
                key={channel}
                label={WAYS[channel]}
                aria-label={`${KINDS[kind]}: ${WAYS[channel]}`}
                disabled={channel === 'mail' && !mail}
                checked={!muted.includes(`${kind}:${channel}`) && (channel !== 'mail' || mail)}
                onChange={({ target }) => toggle(`${kind}:${channel}`, target.checked)}
              />
            ))}
          </fieldset>
        ))}
      </div>
      {!mail && <p className="text-sm text-faint">This deployment has no mail server, so it sends no mail.</p>}
      <Field
        label="Gems are low when below"
        error={problem('low_balance')}
        hint="Leave empty for never. Webhooks for balance.low go by it too."
        className="max-w-64"
      >
        <Input {...wholeNumber('low_balance', 1)} />
      </Field>
      <Button type="submit" tone="primary" busy={busy} disabled={!dirty} className="justify-self-start">
        Save
      </Button>
    </form>
  );
}
