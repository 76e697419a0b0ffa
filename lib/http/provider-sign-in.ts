import nextAuthModule from 'next-auth';
import { authOptions } from '#lib/auth/options';
import { authProviders } from '#lib/auth/providers';
import { findSessionCaller } from '#lib/auth/session';
import { env } from '#lib/env';
import { nothingHere } from '#lib/errors';
import { clientAddress } from '#lib/http/client-address';
import { readText, SMALL_BODY_BYTES } from '#lib/http/read-json';
import type { Context } from '#lib/http/route';

// Node imports the CommonJS module, bundlers its default export
const nextAuth = ('default' in nextAuthModule ? nextAuthModule.default : nextAuthModule) as typeof nextAuthModule;

/** Actions of next-auth in use, and whether each names a provider. Its pages, session, sign-out and log are not. */
const ACTIONS = new Map([
  ['GET providers', false],
  ['GET csrf', false],
  ['GET signin', false],
  ['POST signin', true],
  ['GET callback', true],
  // leads to our own page when the callback failed
  ['GET error', false],
]);

/** Fields of next-auth's forms. */
const FORM = ['csrfToken', 'callbackUrl', 'json'];

/** Handles sign-in through identity providers. next-auth sees only known actions, providers, fields and own URLs. */
export async function signInWithProvider(request: Request, context: Context): Promise<Response> {
  const nextauth = [(await context.params)?.nextauth ?? []].flat();
  const [action = '', provider, ...rest] = nextauth;
  const namesProvider = ACTIONS.get(`${request.method} ${action}`);
  const isProvider = authProviders().some(({ id }) => id === provider);
  if (namesProvider === undefined || rest.length > 0 || (namesProvider ? !isProvider : provider !== undefined))
    throw nothingHere();

  const { host, protocol } = new URL(env().BASE_URL);
  const [query, cookies, body] = [queryOf(request), cookiesOf(request), await formOf(request)];
  const signedIn = await findSessionCaller(request);
  const { response, answer } = collect();
  await nextAuth(
    {
      method: request.method,
      headers: { host, 'x-forwarded-proto': protocol.slice(0, -1) },
      query: { ...query, nextauth },
      cookies,
      body,
    } as never,
    response as never,
    authOptions({ headers: headersOf(request), address: clientAddress(request) }, signedIn),
  );
  return answer();
}

const headersOf = ({ headers }: Request) => ({
  cookie: headers.get('cookie') ?? undefined,
  'user-agent': headers.get('user-agent') ?? undefined,
});

function queryOf(request: Request): Record<string, string> {
  const { error = '', ...query } = own(new URL(request.url).searchParams);
  // next-auth inserts the error into URLs without escaping
  return /^\w+$/.test(error) ? { ...query, error } : query;
}

async function formOf(request: Request): Promise<Record<string, string>> {
  if (request.method !== 'POST') return {};
  const form = own(new URLSearchParams(await readText(request, SMALL_BODY_BYTES)));
  return Object.fromEntries(FORM.filter(name => name in form).map(name => [name, form[name] ?? '']));
}

function cookiesOf(request: Request): Record<string, string> {
  const pairs = (request.headers.get('cookie') ?? '').split(';').map(part => {
    const [name = '', ...value] = part.split('=');
    return [name.trim(), decoded(value.join('=').trim())] as const;
  });
  return own(pairs.filter(([name]) => name.includes('next-auth.')));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** Makes callback URLs absolute, and drops those of other origins: next-auth fails on them or would follow them. */
function own(pairs: Iterable<readonly [string, string]>): Record<string, string> {
  const kept = Object.create(null) as Record<string, string>;
  const { BASE_URL } = env();
  for (const [name, value] of pairs) {
    const address = /callback-?url$/i.test(name) ? URL.parse(value, BASE_URL) : undefined;
    if (address === undefined) kept[name] = value;
    else if (address?.origin === BASE_URL) kept[name] = address.href;
  }
  return kept;
}

/** Returns a stand-in for the response object, with the methods that next-auth calls. */
function collect() {
  const headers = new Headers({ 'cache-control': 'no-store' });
  const cookies: string[] = [];
  let status = 200;
  let body: string | null = null;
  const response = {
    status(code: number) {
      status = code;
      return response;
    },
    getHeader: (name: string) => (name === 'Set-Cookie' ? cookies : headers.get(name)),
    setHeader(name: string, value: string | string[]) {
      if (Array.isArray(value)) cookies.splice(0, Infinity, ...value);
      else headers.set(name, value);
      return response;
    },
    json(value: unknown) {
      headers.set('content-type', 'application/json; charset=utf-8');
      body = JSON.stringify(value);
    },
    send(value: unknown) {
      if (typeof value === 'string') body = value;
      else response.json(value);
    },
    end() {},
  };
  const answer = () => {
    for (const cookie of cookies) headers.append('set-cookie', cookie);
    return new Response(body, { status, headers });
  };
  return { response, answer };
}
