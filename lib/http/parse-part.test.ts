import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { studioOperations } from '#lib/contract/studio-operations';
import { operations } from '#lib/contract/operations';
import type { Operation } from '#lib/contract/operation';
import { headerName } from '#lib/contract/words';
import { AppError, type Issue } from '#lib/errors';
import { parsePart, type Part } from '#lib/http/parse-part';
import { shown } from '#lib/issue';
import { tools } from '#lib/mcp/tools';
import { newEdit, newImage, newSpeech, newVideo, videoPage } from '#lib/openai-api/bodies';

const all = Object.entries<Operation>({ ...operations, ...studioOperations });
/** Schemas outside of the operations that are parsed like bodies: arguments of tools, and bodies of the OpenAI API. */
const inputs = Object.entries(tools).map(([name, { input }]) => [name, input] as const);
const elsewhere = Object.entries({
  ...Object.fromEntries(inputs),
  newImage,
  newEdit,
  newVideo,
  newSpeech,
  videoPage,
}).map(([id, body]) => [id, { invalid: 'invalid_request', body } as unknown as Operation] as const);
const schemaOf = (operation: Operation, part: Part): z.ZodType | undefined => operation[part];

function refusalOf(operation: Operation, part: Part, sent: unknown): (AppError & { issues: Issue[] }) | null {
  try {
    parsePart(operation, part, schemaOf(operation, part)!, sent);
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return Object.assign(error, { issues: error.extra.issues ?? [] });
  }
}

/** Returns the paths of the members of a part, including those of nested objects. */
function pathsOf(operation: Operation, part: Part): string[][] {
  const schema = schemaOf(operation, part);
  if (!schema) return [];
  const inside = (json: z.core.JSONSchema.BaseSchema, path: string[]): string[][] =>
    [json, ...(json.anyOf ?? [])].flatMap(one =>
      Object.entries(one.properties ?? {}).flatMap(([name, member]) => [
        [...path, name],
        ...inside(member as z.core.JSONSchema.BaseSchema, [...path, name]),
      ]),
    );
  return inside(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }), []);
}

const ofBody = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 1e10, Infinity, '', ' ', 'nonsense', '\t', [], ['x'], {}, { x: 1 }),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constant('x'.repeat(5000)),
  fc.double(),
);
const ofText = fc.oneof(
  fc.constantFrom('', ' ', '0', '-1', '1.5', '201', 'nonsense', 'a,b', 'x'.repeat(5000)),
  fc.string(),
);

const PLACES: Record<Part, (name: string) => string> = {
  params: name => `The path parameter ${name}`,
  query: name => `The query parameter ${name}`,
  headers: name => `The header ${headerName(name)}`,
  body: name => name,
};
const SECRET = /password|^token$|^invite$|^secret$/;
/** Phrases of zod's own messages, which mean nothing to a client. */
const FOREIGN = /Invalid|Too (big|small)|Unrecognized|expected|undefined|something else;|\[object/;

const cases = [...all, ...elsewhere].flatMap(([id, operation]) =>
  (['params', 'query', 'headers', 'body'] as const).flatMap(part =>
    pathsOf(operation, part).map(path => [`${id} ${part} ${path.join('/')}`, operation, part, path] as const),
  ),
);

test.each(cases)(
  '%s: the message for a refused value names its place, what is allowed and what was sent',
  (_, operation, part, path) => {
    const name = path.join('/');
    fc.assert(
      fc.property(part === 'body' ? ofBody : ofText, value => {
        const sent = path.reduceRight<unknown>((inner, step) => ({ [step]: inner }), value);
        const issue = refusalOf(operation, part, sent)?.issues.find(one => one.path === `/${name}`);
        if (!issue) return;
        const place = PLACES[part](path.length > 1 ? `/${name}` : name);
        const isSecret = SECRET.test(name) && typeof value === 'string';
        const what = isSecret ? `${[...value].length} characters long` : shown(value);
        expect(issue.message.startsWith(`${place} must be `)).toBe(true);
        expect(issue.message.endsWith(`; it is ${what}.`)).toBe(true);
        expect(issue.message.slice(place.length, -what.length - 1)).not.toMatch(FOREIGN);
        expect(issue.message.length).toBeLessThan(400);
      }),
      { numRuns: 60 },
    );
  },
);

test.each(all.filter(([, { body }]) => body))('%s: a body that is not an object is refused', (_, operation) => {
  for (const body of [null, [], 'text', 5, true]) {
    const [issue] = refusalOf(operation, 'body', body)?.issues ?? [];
    expect(issue).toMatchObject({
      path: '',
      message: expect.stringMatching(/^The body must be a JSON object.*; it is /),
    });
    expect(issue?.message).toContain(shown(body));
  }
});

test('the message for an invalid number states its range, whatever is wrong with the value', () => {
  const range = 'a whole number from 0 to 10000';
  for (const value of [-1, 10_001, 1.5, '5', null])
    expect(refusalOf(studioOperations.changeAccount, 'body', { in_flight_limit: value })?.message).toBe(
      `in_flight_limit must be ${range}; it is ${shown(value)}.`,
    );
});

test('a value in a message is counted and truncated in characters, as limits count them', () => {
  const refused = refusalOf(operations.createCharacter, 'body', { name: `a${'😀'.repeat(60)}` });
  expect(refused?.issues[0]?.message).toContain(`it is "a${'😀'.repeat(59)}"… (61 characters).`);
});

test('a message about a header uses its usual spelling and states the allowed range', () => {
  for (const key of ['', 'k'.repeat(256)])
    expect(refusalOf(operations.generate, 'headers', { 'idempotency-key': key })).toMatchObject({
      code: 'invalid_config',
      message: `The header Idempotency-Key must be text of 1 to 255 characters; it is ${shown(key)}.`,
      issues: [{ path: '/idempotency-key' }],
    });
});

test('all invalid members are reported together, each once', () => {
  const refused = refusalOf(operations.createReference, 'body', {
    name: '',
    kind: 'audio',
    image: 'https://x.example/a',
  });
  expect(refused?.issues.map(({ path }) => path)).toEqual(['/name', '/audio', '/image']);
  expect(refused?.message).toBe(refused?.issues.map(({ message }) => message).join(' '));
});

test.each(all.filter(([, { query }]) => query && 'limit' in query.shape && 'cursor' in query.shape))(
  '%s reports an invalid cursor in the same words, together with other issues',
  (_, operation) =>
    expect(refusalOf(operation, 'query', { limit: '0', cursor: 'x' })?.issues.map(({ message }) => message)).toEqual([
      'The query parameter limit must be a whole number from 1 to 200; it is "0".',
      'The query parameter cursor must be the next_cursor of the page before; it is "x".',
    ]),
);

test('a refused password is not repeated in the message', () => {
  const refused = refusalOf(studioOperations.signUp, 'body', { email: 'ada@example.com', password: 'hunter2' });
  expect(refused?.message).toBe('password must be 10 to 200 characters long; it is 7 characters long.');
});

test('a query parameter with a NUL character is refused by name, even if the parameter is unknown', () => {
  for (const name of ['q', 'other'])
    expect(refusalOf(operations.listRequests, 'query', { [name]: 'a\0b' })?.issues).toEqual([
      {
        path: `/${name}`,
        message: `The query parameter ${name} must be text without NUL characters; it is "a\\u0000b".`,
      },
    ]);
});
