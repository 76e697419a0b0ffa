import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultsOf } from '#lib/catalog/architecture';
import { getArchitecture, loadCatalog } from '#lib/catalog/catalog';
import { resolveConfig } from '#lib/catalog/resolve-config';
import { toCatalogEntry } from '#lib/catalog/to-entry';
import { shown } from '#lib/issue';

const catalog = loadCatalog(join(import.meta.dirname, '../../catalog'));
const resolve = (id: string, body: unknown) => resolveConfig(getArchitecture(id, catalog), body);
const paths = (id: string, body: unknown) => resolve(id, body).issues.map(({ path }) => path);

test('omitted fields get their defaults', () => {
  expect(resolve('kiwi', { prompt: 'a pear' })).toEqual({
    config: { prompt: 'a pear', model_id: 'kiwi', aspect_ratio: '16:9', resolution: '480p', duration: '5', seed: null },
    modelId: 'kiwi',
    issues: [],
    warnings: [],
  });
});

test('a default that the variant does not accept becomes its first token, while a sent value is refused', () => {
  expect(resolve('plum', { prompt: 'x', model_id: 'plum' }).config).toMatchObject({
    resolution: '768P',
    duration: '5',
  });
  expect(resolve('plum', { prompt: 'x', model_id: 'plum', resolution: '480P' }).issues).toEqual([
    {
      path: '/resolution',
      message: 'resolution must be one of "768P", "2K" with model_id plum; it is "480P", which plum-max takes.',
    },
  ]);
  expect(defaultsOf(getArchitecture('plum', catalog), 'plum')).toMatchObject({ model_id: 'plum', resolution: '768P' });
  expect(resolve('mango', { prompt: 'x', resolution: '3K' }).issues).toMatchObject([
    { message: expect.stringMatching(/, which mango-v2, mango-v3s take\.$/) },
  ]);
  // the tokens of an unknown variant are not checked
  expect(paths('mango', { prompt: 'x', model_id: 'nope', resolution: '3K' })).toEqual(['/model_id']);
});

test('all issues are reported together', () => {
  const body = { prompt: ' ', model_id: 'nope', resolution: '480P', duration: 5, seed: -1, first_image: 'ftp://x' };
  expect(resolve('kiwi', body).issues).toEqual([
    {
      path: '/prompt',
      message: 'prompt must be text of at most 100000 characters with at least one visible character; it is " ".',
    },
    {
      path: '/first_image',
      message: 'first_image must be an https URL, an upload URL or a data URL of an image; it is "ftp://x".',
    },
    { path: '/model_id', message: 'model_id must be one of "kiwi"; it is "nope".' },
    { path: '/resolution', message: 'resolution must be one of "480p", "720p", "1080p"; it is "480P".' },
    { path: '/duration', message: 'duration must be one of "5", "10"; it is 5: send "5" as a string.' },
    { path: '/seed', message: 'seed must be a whole number from 0 to 4294967295, or null; it is -1.' },
  ]);
  expect(resolve('kiwi', body).config).toMatchObject({ resolution: '480p', duration: '5', seed: null });
});

test('the message for a number sent as text says to send a number', () => {
  expect(resolve('kiwi', { prompt: 'x', seed: '7' }).issues).toEqual([
    {
      path: '/seed',
      message: 'seed must be a whole number from 0 to 4294967295, or null; it is "7": send 7 as a number.',
    },
  ]);
});

test('a message does not suggest a value that would be refused too', () => {
  const told = (body: object) => resolve('kiwi', { prompt: 'x', ...body }).issues[0]?.message;
  expect([told({ seed: '-1' }), told({ seed: ' ' }), told({ duration: 7 })]).toEqual([
    expect.stringMatching(/it is "-1"\.$/),
    expect.stringMatching(/it is " "\.$/),
    expect.stringMatching(/it is 7\.$/),
  ]);
});

test('a media field accepts http, https and data URLs in any letter case', () => {
  const given = (first_image: string) => paths('kiwi', { prompt: 'x', first_image });
  for (const good of ['http://localhost/x', 'HTTPS://x', 'Data:,']) expect(given(good)).toEqual([]);
  for (const bad of ['xhttps://x', ' data:,', 'file:///x']) expect(given(bad)).toEqual(['/first_image']);
});

test('a text is checked against the pattern of its field', () => {
  const kiwi = getArchitecture('kiwi', catalog);
  const code = { ...kiwi.fields.prompt!, minLength: 0, pattern: '^[a-z]*$', default: '' };
  const issues = (value: string) =>
    resolveConfig({ ...kiwi, fields: { ...kiwi.fields, code } }, { prompt: 'x', code: value }).issues;
  expect([issues('abc'), issues('')]).toEqual([[], []]);
  expect(issues('ABC')).toMatchObject([{ path: '/code' }]);
});

test.each([
  ['no prompt', {}, '/prompt'],
  ['a prompt that nobody sees', { prompt: '\u200b\u2060' }, '/prompt'],
  ['a prompt of another type', { prompt: ['x'] }, '/prompt'],
  ['a seed too large', { prompt: 'x', seed: 4294967296 }, '/seed'],
  ['a fractional seed', { prompt: 'x', seed: 1.5 }, '/seed'],
  ['an endless seed', JSON.parse('{"prompt":"x","seed":1e400}'), '/seed'],
  ['a seed as text', { prompt: 'x', seed: '7' }, '/seed'],
  ['a number as text', { prompt: 'x', guidance_scale: '5' }, '/guidance_scale'],
  ['half a step', { prompt: 'x', num_inference_steps: 1.5 }, '/num_inference_steps'],
  ['a value above its range', { prompt: 'x', shift: 21 }, '/shift'],
  ['a switch as text', { prompt: 'x', prompt_weighting: 'true' }, '/prompt_weighting'],
  ['null for a token', { prompt: 'x', resolution: null }, '/resolution'],
  ['a list as body', [], ''],
  ['null as body', null, ''],
])('%s is refused', (_, body, path) => {
  expect(paths('anima', body)).toEqual([path]);
});

test('seeds from 0 to the maximum, and null, are accepted', () => {
  for (const seed of [0, 4294967295, null])
    expect(resolve('anima', { prompt: 'x', seed })).toMatchObject({ issues: [], config: { seed } });
});

test('lists of media have a maximum length, and each item is checked', () => {
  const url = 'https://example.com/a.png';
  expect(paths('guava', { prompt: 'x', additional_images: [url, url, url, url] })).toEqual(['/additional_images']);
  expect(paths('guava', { prompt: 'x', additional_images: [url, 'file:///etc/passwd', 3] })).toEqual([
    '/additional_images/1',
    '/additional_images/2',
  ]);
  const many = paths('guava', { prompt: 'x', additional_images: Array.from({ length: 100_000 }, () => 0) });
  // the last issue, that there are more, concerns the whole list
  expect(many).toHaveLength(11);
  expect(many.at(-1)).toBe('/additional_images');
  expect(paths('lemon', { prompt: 'x', videos: url })).toEqual(['/videos']);
  expect(paths('lemon', { prompt: 'x', videos: [url, url] })).toEqual(['/videos']);
});

test('the length of a prompt is counted in characters, not UTF-16 units', () => {
  expect(paths('seed_audio', { prompt: '🍋'.repeat(3000) })).toEqual([]);
  expect(paths('seed_audio', { prompt: '🍋'.repeat(3001) })).toEqual(['/prompt']);
});

test('unknown members are ignored with a warning that names the nearest field', () => {
  const { config, issues, warnings } = resolve('mango', {
    prompt: 'x',
    aspectRatio: '1:1',
    constructor: 1,
    ...JSON.parse('{"__proto__":{"seed":7}}'),
  });
  expect(issues).toEqual([]);
  expect(config).toMatchObject({ aspect_ratio: '4:5', seed: null });
  expect(warnings.map(({ path }) => path)).toContain('/constructor');
  expect(warnings[0]).toEqual({
    path: '/aspectRatio',
    message: '"aspectRatio" is no field of mango and was ignored; the nearest field is aspect_ratio.',
  });
  const long = 'x'.repeat(1_000);
  expect(resolve('mango', { prompt: 'x', [long]: 1 }).warnings).toMatchObject([
    { path: '', message: expect.stringContaining('(1000 characters) is no field of mango') },
  ]);
  const many = Object.fromEntries(Array.from({ length: 1_021 }, (_, n) => [`member${n}`, n]));
  expect(resolve('mango', { prompt: 'x', ...many }).warnings.slice(20)).toEqual([
    { path: '', message: 'So were 1,001 more members that are no field of mango.' },
  ]);
});

test.each([
  ['kiwi', 'image', 'the nearest field is first_image'],
  ['kiwi', 'images', 'the nearest field is first_image'],
  ['kiwi', 'video', 'kiwi takes no videos'],
  ['anima', 'image', 'anima takes no images'],
  ['anima', 'first_image', 'anima takes no images'],
  ['lemon', 'video', 'the nearest field is videos'],
  ['mango', 'ratio', 'the nearest field is aspect_ratio'],
  ['mango', 'RATIO', 'the nearest field is aspect_ratio'],
  ['lemon', 'frist_image', 'the nearest field is first_image'],
  ['lemon', 'lastimage', 'the nearest field is last_image'],
  ['mango', 'aditional_images', 'the nearest field is additional_images'],
  ['mango', 'additional_image', 'the nearest field is additional_images'],
  ['mango', 'images', 'the nearest field is image'],
  ['hidream', 'negativ_prompt', 'the nearest field is negative_prompt'],
  ['ltx_video', 'prompt_enhanc', 'the nearest field is prompt_enhance'],
  ['lemon', 'prompt_extnd', 'the nearest field is prompt_extend'],
])(
  '%s: the warning for an ignored %s names the nearest field or says that such media are not accepted',
  (id, member, advice) => {
    const { warnings } = resolve(id, { prompt: 'x', [member]: 'https://example.com/a' });
    expect(warnings).toEqual([
      { path: `/${member}`, message: `"${member}" is no field of ${id} and was ignored; ${advice}.` },
    ]);
  },
);

test('a long value is shortened in the message', () => {
  const message = resolve('kiwi', { prompt: 'x', resolution: 'z'.repeat(1_000_000) }).issues[0]?.message ?? '';
  expect(message).toContain('(1000000 characters)');
  expect(message.length).toBeLessThan(200);
});

/** Generates bodies that are nearly valid, so that the later checks are reached. */
const nearBody = (names: string[], tokens: unknown[]) =>
  fc.dictionary(
    fc.oneof(fc.constantFrom(...names), fc.string()),
    fc.oneof(fc.constantFrom(...tokens), fc.jsonValue(), fc.string({ unit: 'binary' }), fc.double(), fc.integer()),
  );

const architectures = catalog.list().map(architecture => [architecture.id, architecture] as const);

test.each(architectures)(
  '%s: no JSON body causes an exception, and the config is always complete',
  (_, architecture) => {
    const names = Object.keys(architecture.fields);
    const tokens = Object.values(architecture.fields).flatMap(field => field.enum ?? []);
    const defaults = Object.keys(resolveConfig(architecture, { prompt: 'x' }).config).filter(name => name !== 'prompt');
    fc.assert(
      fc.property(fc.oneof(nearBody(names, tokens), fc.jsonValue()), body => {
        const { config } = resolveConfig(architecture, body);
        for (const name of defaults.filter(key => key !== 'seed')) expect(config[name]).toBeDefined();
      }),
      { numRuns: 50 },
    );
  },
);

test.each(architectures)('%s refuses exactly the bodies that its input_schema refuses', (_, architecture) => {
  const validate = new Ajv2020({ strict: false }).compile(toCatalogEntry(architecture, '').input_schema);
  const names = Object.keys(architecture.fields).filter(name => name !== 'model_id');
  const own = names.flatMap(name => architecture.fields[name]?.enum ?? []);
  // without narrowing by variant, which the schema cannot express
  const model = { ...architecture, options_by_model: {} };
  const value = fc.oneof(
    fc.constantFrom(...own, 'https://x', 'data:,', ' ', '', null, 0, 1, 5, 30.5, -1, true),
    fc.string(),
    fc.array(fc.constantFrom('https://x', 'x', 1)),
  );
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...names), value), body => {
      const { issues } = resolveConfig(model, body);
      expect(issues.length === 0, JSON.stringify([issues, validate.errors])).toBe(validate(body));
    }),
    { numRuns: 200 },
  );
});

test.each(architectures)(
  '%s: the message for a refused value names its place, what is allowed and what was sent',
  (_, architecture) => {
    const values = fc.oneof(
      fc.constantFrom<unknown>(
        null,
        true,
        -1,
        1e10,
        1.5,
        Infinity,
        '',
        ' ',
        'x'.repeat(200_000),
        [],
        ['x'],
        [1],
        {},
        '5',
        5,
      ),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(architecture.fields)), values, (name, value) => {
        const refused = resolveConfig(architecture, { prompt: 'x', [name]: value }).issues;
        for (const { path, message } of refused) {
          const place = path === `/${name}` ? name : path;
          const sent = path === `/${name}` ? value : (value as unknown[])[Number(path.split('/')[2])];
          expect(message).toMatch(new RegExp(`^${place} must be \\S`));
          expect(message).toContain(`; it is ${shown(sent)}`);
          expect(message).toMatch(/\.$/);
          expect(message.length).toBeLessThan(600);
        }
      }),
      { numRuns: 100 },
    );
  },
);
