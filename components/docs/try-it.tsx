'use client';

import { useState } from 'react';
import { usePathname } from 'next/navigation';
import type { Parameter } from '#lib/docs/read-openapi';
import { withNext } from '#components/auth/next-path';
import { useTry, type Answer } from '#components/docs/use-try';
import { Badge } from '#components/ui/badge';
import { Button } from '#components/ui/button';
import { CodeBlock } from '#components/ui/code-block';
import { Field } from '#components/ui/field';
import { Input } from '#components/ui/input';
import { SegmentedControl } from '#components/ui/segmented-control';
import { TextLink } from '#components/ui/text-link';
import { Textarea } from '#components/ui/textarea';
import { useIsListening } from '#components/ui/use-is-listening';

/** Sends a real request, as the signed-in account or with a pasted API key. The key is not stored. */
export function TryIt({
  method,
  path,
  parameters,
  given = {},
  body,
  account,
}: {
  method: string;
  path: string;
  parameters: readonly Parameter[];
  /** Initial values of parameters. */
  given?: Record<string, string>;
  /** Initial body; undefined when none is sent. */
  body?: unknown;
  /** Id of the signed-in account. */
  account: string | undefined;
}) {
  const [as, setAs] = useState(account ? 'session' : 'key');
  const [key, setKey] = useState('');
  const [values, setValues] = useState(given);
  const [text, setText] = useState(() => (body === undefined ? '' : JSON.stringify(body, null, 2)));
  // for a session, this header is sent automatically
  const asked = parameters.filter(({ name }) => name !== 'Pomona-Account');
  const isListening = useIsListening();
  const page = usePathname();
  const { answer, problem, isBusy, spends, send } = useTry({
    method,
    path,
    parameters,
    values,
    key: as === 'key' ? key : null,
    account,
    body: body === undefined ? undefined : text,
  });

  return (
    <form
      // inert until hydrated: input before that would be lost, and another body sent
      inert={!isListening}
      onSubmit={event => {
        event.preventDefault();
        void send();
      }}
      className="grid grid-cols-1 gap-6 rounded-lg border bg-raised p-5 md:p-6"
    >
      <div className="flex flex-wrap items-end gap-x-6 gap-y-4">
        <SegmentedControl
          label="Call as"
          value={as}
          onValueChange={setAs}
          segments={[
            { value: 'session', label: 'Signed in', disabled: !account },
            { value: 'key', label: 'With a key' },
          ]}
        />
        {as === 'key' && (
          <Field label="API key" className="min-w-[min(16rem,100%)] grow">
            <Input
              type="password"
              autoComplete="off"
              spellCheck={false}
              required
              placeholder="pomona_sk_…"
              value={key}
              onChange={event => setKey(event.target.value.trim())}
              className="font-mono"
            />
          </Field>
        )}
        {!account && (
          <p className="pb-2 text-sm text-soft">
            Or <TextLink href={withNext('/sign-in', page)}>sign in</TextLink> to call without a key.
          </p>
        )}
      </div>
      {asked.length > 0 && (
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {asked.map(({ name, in: where, required }) => (
            <Field key={name} label={name} aside={where} required={required}>
              <Input
                value={values[name] ?? ''}
                required={required}
                spellCheck={false}
                autoComplete="off"
                className="font-mono"
                onChange={event => setValues(all => ({ ...all, [name]: event.target.value }))}
              />
            </Field>
          ))}
        </div>
      )}
      {body !== undefined && (
        <Field label="Body" aside="JSON">
          <Textarea
            rows={5}
            spellCheck={false}
            value={text}
            onChange={event => setText(event.target.value)}
            className="font-mono"
          />
        </Field>
      )}
      <div className="flex flex-wrap items-center gap-4">
        <Button type="submit" tone="primary" busy={isBusy}>
          Send {method}
        </Button>
        {spends && <p className="text-sm text-soft">This is a real request: it costs gems.</p>}
        {method === 'DELETE' && <p className="text-sm text-soft">This is a real request: it deletes things.</p>}
      </div>
      <output className="grid min-w-0 gap-3">
        {problem && <p className="text-sm font-medium text-danger">{problem}</p>}
        {answer && <AnswerView {...answer} />}
      </output>
    </form>
  );
}

function AnswerView({ status, ms, requestId, text }: Answer) {
  return (
    <>
      <p className="figures flex flex-wrap items-center gap-3 text-xs text-faint">
        <Badge dot tone={status < 400 ? 'good' : 'bad'}>
          {status}
        </Badge>
        {ms} ms
        {requestId && <span className="font-mono">{requestId}</span>}
      </p>
      {text && <CodeBlock title="Answer" code={text} className="max-h-128 overflow-y-auto" />}
    </>
  );
}
