import { getTableColumns } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { accounts } from '#lib/db/schema';
import { ERROR_CODES } from '#lib/errors';
import { MOST_HANDLES } from '#lib/generations/resolve-mentions';
import { MAX_DEPTH, MAX_VALUES } from '#lib/http/find-flaws';
import { MAX_BODY_BYTES } from '#lib/http/read-json';
import { expiryOf } from '#lib/media/lifetime';
import { MEASURE_MS } from '#lib/media/measure-remote-video';
import { reference } from '#lib/docs/reference';
import { openapiDocument } from '#lib/openapi';
import { FETCH_MS } from '#lib/uploads/fetch-media-input';
import { MAX_UPLOAD_BYTES, PUT_MINUTES } from '#lib/uploads/upload-ticket';
import { readDocs } from './docs-contract.ts';

interface Schema {
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
}
const docs = await readDocs();
const { paths, components } = openapiDocument() as unknown as {
  paths: Record<string, Record<string, { operationId: string; parameters: { name: string; schema: Schema }[] }>>;
  components: { schemas: Record<string, Schema> };
};
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ ...operation, title: `${method.toUpperCase()} ${path}` })),
);

test('docs/reference.md matches the contract (npm run docs:contract rewrites it)', () => {
  expect(docs.reference).toBe(reference());
});

test('the reference names every operation, every member of every object and every error code', () => {
  for (const { title, operationId } of operations.filter(one => !/^(generate|run|get_recipe)_/.test(one.operationId))) {
    expect(docs.reference).toContain(`### ${title}\n`);
    expect(docs.reference).toContain(`\`${operationId}\``);
  }
  for (const [name, { properties = {} }] of Object.entries(components.schemas)) {
    const [, part = ''] = docs.reference.split(`### ${name}\n`);
    for (const member of Object.keys(properties)) expect(part, name).toContain(`| \`${member}\``);
  }
  for (const code of ERROR_CODES) expect(docs.reference).toContain(`| \`${code}\``);
});

test('docs/contract.md names only operations, headers and anchors that exist', () => {
  const titles = operations.map(({ title }) => title);
  const spans = [...docs.contract.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span);
  for (const [, method = '', path = ''] of spans.map(span => /^([A-Z]+) (\/v1[^?]*)/.exec(span) ?? [])) {
    if (path && path !== '/v1/openapi.json') expect(titles).toContain(`${method} ${path}`);
  }
  const headings = new Set(
    [...`${docs.contract}\n${docs.reference}`.matchAll(/^#+ (.+)$/gm)].map(([, text = '']) =>
      text
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
  for (const [, anchor] of docs.contract.matchAll(/\]\((?:reference\.md)?#([\w-]+)\)/g))
    expect(headings).toContain(anchor);
  const sent = operations.flatMap(({ parameters }) => parameters.map(({ name }) => name));
  for (const header of spans.filter(span => /^(Idempotency|Max|Pomona)-[A-Z]\w+$/.test(span)))
    if (header !== 'Idempotency-Replayed') expect(sent).toContain(header);
});

test('every error code in the tables of docs/contract.md exists', () => {
  const known = new Set<string>(ERROR_CODES);
  const rows = [...docs.contract.matchAll(/^\|.*\| +`(\w+)` +\|$/gm)].map(([, code = '']) => code);
  expect(rows.length).toBeGreaterThan(5);
  for (const code of rows) expect(known).toContain(code);
});

const limitOf = (name: string) => {
  const row = new RegExp(`^\\| ${name} +\\| (.+?) +\\|`, 'm').exec(docs.contract);
  return row?.[1] ?? expect.fail(`no row of ${name}`);
};
const parameter = (name: string) =>
  operations.flatMap(({ parameters }) => parameters).find(one => one.name === name)!.schema;
const member = (name: string) => {
  const schema = components.schemas.CreateCharacterRequest?.properties?.[name] ?? {};
  return schema.anyOf?.[0] ?? schema;
};
const inWords = (number: number) => number.toLocaleString('en-US');

test.each([
  ['Generations in flight', inWords(getTableColumns(accounts).inFlightLimit.default as number)],
  ['Request body', `${inWords(MAX_BODY_BYTES)} bytes`],
  ['Depth of a body', `${MAX_DEPTH} levels`],
  ['Names and values in it', inWords(MAX_VALUES)],
  [
    '`Idempotency-Key`',
    `${parameter('Idempotency-Key').minLength} to ${parameter('Idempotency-Key').maxLength} characters`,
  ],
  ['Handles in a prompt', inWords(MOST_HANDLES)],
  ['Upload', `${inWords(MAX_UPLOAD_BYTES)} bytes`],
  ['Address of an upload', `${PUT_MINUTES} minutes`],
  ['Results, inputs, uploads', `${expiryOf(new Date(0)).getTime() / 86_400_000} days`],
  ['Page of a list', `${parameter('limit').minimum} to ${parameter('limit').maximum}`],
  ['Name', `${member('name').minLength} to ${member('name').maxLength} characters`],
  ['Description', `${member('description').maxLength} characters`],
])('docs/contract.md states the limit of %s as %s', (name, value) => {
  expect(limitOf(name)).toMatch(new RegExp(`^${value}`));
});

test.each([
  ['film that makes the price', `is measured first, within ${MEASURE_MS / 1000} seconds.`],
  ['file that is fetched', `with at most 3 redirects, within ${FETCH_MS / 1000} seconds;`],
])('docs/contract.md states how long a %s may take', (_, words) => {
  expect(docs.contract.replaceAll(/\s+/g, ' ')).toContain(words);
});
