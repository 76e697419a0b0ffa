import fc from 'fast-check';
import { z } from 'zod';
import { studioOperations } from '#lib/contract/studio-operations';
import { operations } from '#lib/contract/operations';
import type { Operation } from '#lib/contract/operation';

/** A request and its sender. */
export interface Case {
  as: 'nobody' | 'key' | 'member' | 'operator';
  method: string;
  /** Path with query, exactly as sent. */
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** Values that cases may use: ids of a victim's objects, and the architectures with their fields. */
export interface Known {
  ids: readonly string[];
  architectures: readonly { id: string; fields: readonly string[] }[];
}

/** Operations that would sign out the fuzzer itself. */
const LEFT_OUT = ['signOut'];

const ODD = [
  '',
  ' ',
  '.',
  '..',
  '%',
  '\0',
  '\ud800',
  '\u202e',
  '🍎',
  'é'.repeat(300),
  '__proto__',
  'constructor',
  'toString',
  'null',
  '-1',
  '0x10',
  '1e999',
  '9'.repeat(400),
  'x'.repeat(5_000),
  "' or 1=1 --",
  '{}',
  '[',
  '@ana',
  '@image1',
  '2026-13-45T99:99:99Z',
  'data:image/png;base64,iVBORw0KGgo=',
  'data:,',
  'https://',
  'https://127.0.0.1/x.png',
  'http://[::ffff:a9fe:a9fe]/',
];

const text = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...ODD) }, fc.string({ unit: 'binary', maxLength: 40 }));
const value = fc.oneof(
  { weight: 3, arbitrary: text },
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.array(text, { maxLength: 5 }),
  fc.jsonValue({ maxDepth: 4 }),
);
const nested = (open: string, close: string) => open.repeat(5_000) + close.repeat(5_000);
const BODIES = [
  '',
  '{',
  '[]',
  'null',
  '"x"',
  '{"a":1e400}',
  '{"a":',
  '\ufeff{}',
  nested('[', ']'),
  nested('{"x":', '}'),
];
const LARGE = [`{"x":"${'x'.repeat(70_000)}"}`, `{${Array.from({ length: 20_000 }, (_, n) => `"m${n}":0`).join()}}`];

const membersOf = (body: z.ZodType): string[] =>
  Object.keys(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }).properties ?? {});

/** `right` has the members of a valid body, with which a request gets past the first checks. */
const bodyOf = (members: readonly string[], right: object = {}) => {
  const name = members.length ? fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...members) }, text) : text;
  const odd = fc.dictionary(name, value, { maxKeys: 8 });
  return fc.oneof(
    {
      weight: 12,
      arbitrary: fc.tuple(fc.constantFrom({}, right), odd).map(parts => JSON.stringify(Object.assign({}, ...parts))),
    },
    { weight: 2, arbitrary: fc.constantFrom(...BODIES) },
    { weight: 1, arbitrary: text },
    fc.constantFrom(...LARGE),
  );
};

/** Segment of a path: mostly percent-encoded, sometimes raw, as far as HTTP allows. */
const piece = (known: readonly string[]) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...known) },
    { weight: 2, arbitrary: text.map(part => encodeURIComponent(part.toWellFormed())) },
    fc.constantFrom('%', '%ff', '%00', '%2e%2e%2f', '..', '..;', '%E0%A4%A', '*', "'"),
  );

const query = (names: readonly string[]) =>
  fc.oneof(
    { weight: 2, arbitrary: fc.constant('') },
    {
      weight: 4,
      arbitrary: fc.dictionary(names.length ? fc.constantFrom(...names) : text, text, { maxKeys: 4 }).map(toQuery),
    },
    fc.constantFrom('?', '?%', '?a=%ff&a=%', '?__proto__=1', '?limit[]=1', `?${'a=1&'.repeat(500)}`),
  );

const toQuery = (members: Record<string, string>) =>
  `?${Object.entries(members)
    .map(pair => pair.map(part => encodeURIComponent(part.toWellFormed())).join('='))
    .join('&')}`;

const printable = fc.string({ unit: fc.constantFrom(...'abc019 ~"\\%/;,=*'), minLength: 1, maxLength: 40 });
const HEADERS = [
  'idempotency-key',
  'max-gems',
  'pomona-account',
  'if-none-match',
  'range',
  'if-range',
  'x-forwarded-for',
];
const PAGE_HEADERS = [
  'rsc',
  'next-router-state-tree',
  'next-router-prefetch',
  'next-action',
  'x-forwarded-host',
  'accept',
];
const headers = (names: readonly string[]) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    fc.dictionary(fc.constantFrom(...names), fc.oneof(printable, fc.constantFrom('0', '*', 'bytes=0-', '1')), {
      maxKeys: 3,
    }),
  );

const SITES = [{ 'sec-fetch-site': 'same-origin' }, {}, { origin: 'null' }, { 'sec-fetch-site': 'cross-site' }];
const TYPES = ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', '???'];
const WHO = ['nobody', 'key', 'member', 'operator'] as const;

function callOf({ method, path, query: shape, body }: Operation, known: Known): fc.Arbitrary<Case> {
  const isBuilt = path.includes('{architecture}') && body !== undefined;
  const names = path.includes('{architecture}') ? known.architectures.map(({ id }) => id) : known.ids;
  const members = body ? membersOf(body) : [];
  return fc
    .record({
      as: fc.constantFrom(...WHO),
      method: fc.oneof(
        { weight: 9, arbitrary: fc.constant(method) },
        fc.constantFrom('GET', 'PUT', 'DELETE', 'PATCH', 'TRACE'),
      ),
      place: piece(names),
      query: query(Object.keys(shape.shape)),
      headers: headers(HEADERS),
      site: fc.oneof({ weight: 6, arbitrary: fc.constant(SITES[0]) }, fc.constantFrom(...SITES)),
      type: fc.oneof({ weight: 9, arbitrary: fc.constant(TYPES[0]) }, fc.constantFrom(...TYPES)),
      body: isBuilt
        ? fc.constantFrom(...known.architectures).chain(({ fields }) => bodyOf(fields, { prompt: 'a pear' }))
        : bodyOf(members),
    })
    .map(({ as, method, place, query, headers, site, type, body: sent }) => ({
      as,
      method,
      path: path.replaceAll(/\{\w+\}/g, () => place) + query,
      headers: { ...site, ...headers, ...(method !== 'GET' && { 'content-type': String(type) }) } as Record<
        string,
        string
      >,
      ...(method !== 'GET' && { body: sent }),
    }));
}

const PLACES = [
  '/v1',
  '/api',
  '/api/auth',
  '/api/auth/callback',
  '/api/auth/signin',
  '/media',
  '/media/upload',
  '/media/result',
];
const PAGES = [
  '/',
  '/docs',
  '/docs/models',
  '/sign-in',
  '/sign-up',
  '/reset-password',
  '/create',
  '/history',
  '/characters',
];
const MORE_PAGES = [
  '/references',
  '/uploads',
  '/account',
  '/admin',
  '/admin/accounts',
  '/studio-validators/x',
  '/_next',
  '/_next/static',
];

const elsewhere = (places: readonly string[], names: readonly string[], known: Known): fc.Arbitrary<Case> =>
  fc
    .record({
      as: fc.constantFrom(...WHO),
      method: fc.oneof(
        { weight: 6, arbitrary: fc.constant('GET') },
        fc.constantFrom('POST', 'PUT', 'HEAD', 'OPTIONS', 'PURGE'),
      ),
      place: fc.constantFrom(...places),
      rest: fc.array(piece(known.ids), { maxLength: 2 }),
      query: query([
        'next',
        'error',
        'invite',
        'token',
        'callbackUrl',
        'code',
        'state',
        'q',
        'id',
        'expires',
        'signature',
      ]),
      headers: headers(names),
    })
    .map(({ as, method, place, rest, query, headers }) => ({
      as,
      method,
      path: [place === '/' ? '' : place, ...rest].join('/') + query || '/',
      headers: { 'sec-fetch-site': 'same-origin', ...headers },
      ...(method === 'POST' && { body: 'csrfToken=x&callbackUrl=%2F&json=true' }),
    }));

/** Returns requests derived from the contract, and others to paths outside of it. */
export function cases(known: Known): fc.Arbitrary<Case> {
  const calls = Object.entries<Operation>({ ...operations, ...studioOperations }).flatMap(([id, operation]) =>
    LEFT_OUT.includes(id) ? [] : { weight: operation.body ? 4 : 1, arbitrary: callOf(operation, known) },
  );
  return fc.oneof(
    { weight: 16, arbitrary: fc.oneof(...calls) },
    { weight: 3, arbitrary: elsewhere(PLACES, HEADERS, known) },
    // rare, since pages cost the most
    { weight: 1, arbitrary: elsewhere([...PAGES, ...MORE_PAGES], PAGE_HEADERS, known) },
  );
}
