import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readEnginesFile } from '#lib/engines/engines-file';

const guide = readFileSync(join(import.meta.dirname, '../../docs/engines.md'), 'utf8');
const entry = (own: object) =>
  readEnginesFile(JSON.stringify({ engines: [{ id: 'e', servers: [{ id: 's', url: 'http://box:1' }], ...own }] }));

test('the example in the guide is a valid engines file', () => {
  const { engines, issues } = readEnginesFile(/```json\n([\s\S]*?)```/.exec(guide)![1]!);
  expect(issues).toEqual([]);
  expect(engines!.map(({ type, places }) => [type, places])).toEqual([
    ['openai', 2],
    ['fal', 50],
  ]);
});

test.each([
  ['cog', {}],
  ['replicate', { model: 'owner/name' }],
  ['fal', { model: 'fal-ai/flux' }],
  ['openai', { call: 'images' }],
])('an engine of the type %s is created from its entry, and serves what the entry lists', async (type, own) => {
  const { engines, issues } = entry({ type, serves: [{ architecture: 'anima', model_ids: ['anima-v1'], ...own }] });
  expect(issues).toEqual([]);
  expect(engines![0]!.serves()).toMatchObject([{ architecture: 'anima', model_ids: ['anima-v1'] }]);
  const engine = await engines![0]!.create({ id: 'e/s', url: 'http://box:1' });
  expect(engine.id).toBe('e/s');
  await engine.close!();
});

test('an engine has its own stall_seconds, which cannot be 0', () => {
  expect(entry({ type: 'comfyui', stall_seconds: 3_600 }).engines![0]).toMatchObject({ stall_seconds: 3_600 });
  expect(entry({ type: 'comfyui', stall_seconds: 0 }).issues.map(({ path }) => path)).toEqual([
    '/engines/0/stall_seconds',
  ]);
});

test.each([
  ['nothing that it serves', { type: 'fal' }, '/engines/0/serves'],
  [
    'a model that is an address',
    { type: 'fal', serves: [{ architecture: 'x', model: 'https://fal.ai/a' }] },
    '/engines/0/serves/0/model',
  ],
  [
    'a call that there is not',
    { type: 'openai', serves: [{ architecture: 'x', call: 'chat' }] },
    '/engines/0/serves/0/call',
  ],
  [
    'a source that there is not',
    { type: 'cog', serves: [{ architecture: 'x', parameters: { a: { from: 'jobs' } } }] },
    '/engines/0/serves/0/parameters/a/from',
  ],
  [
    'a secret of Pomona itself',
    { type: 'comfyui', servers: [{ id: 'a', url: 'http://box:1', secret: { env: 'DATABASE_URL' } }] },
    '/engines/0/servers/0/secret/env',
  ],
  [
    'an address that leads nowhere',
    { type: 'comfyui', servers: [{ id: 'a', url: 'http://box:81888' }] },
    '/engines/0/servers/0/url',
  ],
  ['a word too many', { type: 'cog', serves: [{ architecture: 'x', params: {} }] }, '/engines/0/serves/0'],
])('%s is reported with its path', (_, own, place) => {
  expect(entry(own).issues.map(({ path }) => path)).toContain(place);
});
