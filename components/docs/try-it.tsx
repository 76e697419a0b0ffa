'use client';

import { useState, type FormEvent } from 'react';
import type { Parameter } from '#lib/docs/read-openapi';
import { isDoubleClick } from '#components/generations/is-double-click';
import { Badge } from '#components/ui/badge';
import { Button } from '#components/ui/button';
import { CodeBlock } from '#components/ui/code-block';
import { Field } from '#components/ui/field';
import { Input } from '#components/ui/input';
import { SegmentedControl } from '#components/ui/segmented-control';
import { TextLink } from '#components/ui/text-link';
import { Textarea } from '#components/ui/textarea';
import { useIsListening } from '#components/ui/use-is-listening';
import { useOnce } from '#components/ui/use-once';

interface Answer {
  status: number;
  ms: number;
  requestId: string | null;
  text: string;
}

/** Of what is posted, what submits requests. */
const SPENDING = /(\/generate|\/recipes\/{recipe}|\/retry)$/;

const KEY = 'idempotency-key';
const LOST = 'No answer came. Check the connection, and that the key has no other characters in it.';
const FAILED = 'The server failed.';

/** Makes the call for real, as whoever is signed in or with a key that is pasted. The key stays in this page. */
export function TryIt({
  method,
  path,
  parameters,
  body,
  signedIn,
}: {
  method: string;
  path: string;
  parameters: readonly Parameter[];
  /** What the body starts as; absent when none is sent. */
  body?: unknown;
  signedIn: boolean;
}) {
  const [as, setAs] = useState(signedIn ? 'session' : 'key');
  const [key, setKey] = useState('');
  const [values, setValues] = useState<Record<string, string>>({});
  const [text, setText] = useState(() => (body === undefined ? '' : JSON.stringify(body, null, 2)));
  const [answer, setAnswer] = useState<Answer>();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const once = useOnce();
  const isListening = useIsListening();
  const spends = method === 'POST' && SPENDING.test(path);
  const isKeyed = spends && parameters.some(({ name }) => name.toLowerCase() === KEY);

  async function send(event: FormEvent) {
    event.preventDefault();
    if (spends && isDoubleClick(`try ${path}`)) return;
    setBusy(true);
    setProblem(undefined);
    try {
      const headers = headersOf(parameters, values, as === 'key' ? key : '', body !== undefined);
      if (!isKeyed || headers.has(KEY)) await ask(headers);
      else
        await once([addressOf(path, parameters, values), [...headers], text], minted => {
          headers.set(KEY, minted);
          return ask(headers);
        });
    } catch (error) {
      const { message } = error as Error;
      const problem = message === FAILED ? FAILED : LOST;
      setProblem(isKeyed ? `${problem} Sent again as it is, it is charged once.` : problem);
    }
    setBusy(false);
  }

  async function ask(headers: Headers) {
    const began = performance.now();
    const response = await fetch(addressOf(path, parameters, values), {
      method,
      headers,
      credentials: as === 'key' ? 'omit' : 'same-origin',
      ...(body !== undefined && { body: text }),
    });
    const { status } = response;
    const received = await response.text();
    const ms = Math.round(performance.now() - began);
    setAnswer({ status, ms, requestId: response.headers.get('x-request-id'), text: pretty(received) });
    // nobody knows what became of it
    if (status >= 500) throw new Error(FAILED);
  }

  return (
    <form
      // what is typed before the page is alive would be lost, and another body sent
      inert={!isListening}
      onSubmit={event => void send(event)}
      className="grid gap-6 rounded-lg border bg-raised p-5 md:p-6"
    >
      <div className="flex flex-wrap items-end gap-x-6 gap-y-4">
        <SegmentedControl
          label="Call as"
          value={as}
          onValueChange={setAs}
          segments={[
            { value: 'session', label: 'Signed in', disabled: !signedIn },
            { value: 'key', label: 'With a key' },
          ]}
        />
        {as === 'key' && (
          <Field label="API key" className="min-w-64 grow">
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
        {!signedIn && (
          <p className="pb-2 text-sm text-soft">
            Or <TextLink href="/sign-in">sign in</TextLink> to call without a key.
          </p>
        )}
      </div>
      {parameters.length > 0 && (
        <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {parameters.map(({ name, in: where, required }) => (
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
        {method === 'DELETE' && <p className="text-sm text-soft">This is a real request: it deletes.</p>}
      </div>
      <output className="grid min-w-0 gap-3">
        {problem && <p className="text-sm font-medium text-danger">{problem}</p>}
        {answer && (
          <>
            <p className="figures flex flex-wrap items-center gap-3 text-xs text-faint">
              <Badge dot tone={answer.status < 400 ? 'good' : 'bad'}>
                {answer.status}
              </Badge>
              {answer.ms} ms
              {answer.requestId && <span className="font-mono">{answer.requestId}</span>}
            </p>
            {answer.text && (
              <CodeBlock title="Answer of the try" code={answer.text} className="max-h-128 overflow-y-auto" />
            )}
          </>
        )}
      </output>
    </form>
  );
}

function addressOf(path: string, parameters: readonly Parameter[], values: Record<string, string>): string {
  const address = path.replaceAll(/{(\w+)}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  const query = parameters.filter(({ in: where, name }) => where === 'query' && values[name]);
  const search = new URLSearchParams(query.map(({ name }) => [name, values[name] ?? ''])).toString();
  return search ? `${address}?${search}` : address;
}

function headersOf(
  parameters: readonly Parameter[],
  values: Record<string, string>,
  key: string,
  hasBody: boolean,
): Headers {
  const headers = new Headers();
  if (key) headers.set('authorization', `Bearer ${key}`);
  if (hasBody) headers.set('content-type', 'application/json');
  for (const { in: where, name } of parameters) {
    const value = values[name];
    if (where === 'header' && value) headers.set(name, value);
  }
  return headers;
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
