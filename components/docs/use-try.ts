import { useState } from 'react';
import { isDoubleClick } from '#components/generations/is-double-click';
import { once } from '#components/ui/once';
import type { Parameter } from '#lib/docs/read-openapi';

export interface Answer {
  status: number;
  ms: number;
  requestId: string | null;
  text: string;
}

/** Paths whose POST operations submit requests. */
const SPENDING = /(\/generate|\/recipes\/{recipe}|\/retry)$/;

const KEY = 'idempotency-key';
const LOST = 'No answer came. Check the connection, and that the key has no stray characters.';
const FAILED = 'The server failed.';

interface Call {
  method: string;
  path: string;
  parameters: readonly Parameter[];
  values: Record<string, string>;
  /** API key; null to call with the session. */
  key: string | null;
  /** Id of the account that was signed in when the page was rendered. */
  account: string | undefined;
  /** Request body; undefined when none is sent. */
  body: string | undefined;
}

/** Sends a call as filled in, and returns its answer or the problem. `spends`: whether the call costs gems. */
export function useTry({ method, path, parameters, values, key, account, body }: Call) {
  const [answer, setAnswer] = useState<Answer>();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const spends = method === 'POST' && SPENDING.test(path);
  const isKeyed = spends && parameters.some(({ name }) => name.toLowerCase() === KEY);
  return { answer, problem, isBusy, spends, send };

  async function send() {
    if (spends && isDoubleClick(`try ${path}`)) return;
    setBusy(true);
    setProblem(undefined);
    try {
      const headers = headersOf({ parameters, values, key, account, body });
      if (!isKeyed || headers.has(KEY)) await ask(headers);
      else {
        // `once` stores what it is given, so the API key is left out; the server scopes Idempotency-Keys by API key
        const told = [...headers].filter(([name]) => name !== 'authorization');
        await once(`try ${path}`, [addressOf(path, parameters, values), told, body], minted => {
          headers.set(KEY, minted);
          return ask(headers);
        });
      }
    } catch (error) {
      const { message } = error as Error;
      // the answer shown is that of an earlier call
      if (message !== FAILED) setAnswer(undefined);
      const problem = message === FAILED ? FAILED : LOST;
      setProblem(isKeyed ? `${problem} Sent again unchanged, it is charged only once.` : problem);
    }
    setBusy(false);
  }

  async function ask(headers: Headers) {
    const began = performance.now();
    const response = await fetch(addressOf(path, parameters, values), {
      method,
      headers,
      credentials: key === null ? 'same-origin' : 'omit',
      ...(body !== undefined && { body }),
    });
    const { status } = response;
    const received = await response.text();
    const ms = Math.round(performance.now() - began);
    setAnswer({ status, ms, requestId: response.headers.get('x-request-id'), text: pretty(received) });
    // the outcome of the request is unknown
    if (status >= 500) throw new Error(FAILED);
  }
}

function addressOf(path: string, parameters: readonly Parameter[], values: Record<string, string>): string {
  const address = path.replaceAll(/{(\w+)}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  const query = parameters.filter(({ in: where, name }) => where === 'query' && values[name]);
  const search = new URLSearchParams(query.map(({ name }) => [name, values[name] ?? ''])).toString();
  return search ? `${address}?${search}` : address;
}

function headersOf({ parameters, values, key, account, body }: Omit<Call, 'method' | 'path'>): Headers {
  const headers = new Headers();
  if (key) headers.set('authorization', `Bearer ${key}`);
  if (key === null && account) headers.set('pomona-account', account);
  if (body !== undefined) headers.set('content-type', 'application/json');
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
