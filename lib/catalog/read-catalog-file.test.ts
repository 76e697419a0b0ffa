import { expect, test } from 'vitest';
import { readCatalogFile } from '#lib/catalog/read-catalog-file';

const papaya = {
  id: 'papaya',
  name: 'Papaya',
  type: 'video',
  description: 'For tests.',
  state: 'live',
  model_ids: ['p-1', 'p-2'],
  default_model_id: 'p-1',
  fields: {
    papaya_shape: { type: 'string', role: 'aspect_ratio', description: 'Shape.', enum: ['1:1', '2:1'], default: '1:1' },
    resolution: { enum: ['480p', '720p'], default: '480p' },
    duration: { enum: ['5', '10'], default: '5' },
    first_image: {},
  },
  options_by_model: { 'p-2': { resolution: ['720p'] } },
  mentions: { characters: ['p-2'] },
  output: { fit: 'short_side', side: { '480p': 480, '720p': 720 }, multiple: 2, fps: 24 },
  price: { gems: 10, factors: { resolution: { '480p': 1, '720p': 2 } }, seconds: { field: 'duration', base: 5 } },
};

const places = (changes: object) => readCatalogFile({ ...papaya, ...changes }).issues.map(({ path }) => path);

test('fields may have names of their own: roles say what they do', () => {
  const { architecture } = readCatalogFile(papaya);
  expect(architecture?.roles).toEqual({
    first_frame: 'first_image',
    aspect_ratio: 'papaya_shape',
    resolution: 'resolution',
    duration: 'duration',
  });
  expect(Object.keys(architecture?.fields ?? {})).toEqual([
    'prompt',
    'first_image',
    'model_id',
    'papaya_shape',
    'resolution',
    'duration',
    'seed',
  ]);
  expect(architecture?.fields.papaya_shape?.title).toBe('Papaya shape');
  expect(architecture?.mentions).toMatchObject({ characters: ['p-2'], references: [] });
});

test.each([
  ['an id that is a path under /v1', { id: 'requests' }, ['/id']],
  ['an unknown member', { colour: 'red' }, ['']],
  ['a default variant that is none', { default_model_id: 'p-3' }, ['/fields/model_id/default']],
  ['a field that nobody knows', { fields: { ...papaya.fields, sweetness: {} } }, ['/fields/sweetness']],
  [
    'a default outside the tokens',
    { fields: { ...papaya.fields, duration: { enum: ['5'], default: '6' } } },
    ['/fields/duration/default', '/price/seconds/base'],
  ],
  [
    'a setting without a default',
    { fields: { ...papaya.fields, sweet: { type: 'boolean', description: 'Sweet.' } } },
    ['/fields/sweet'],
  ],
  [
    'two fields of one role',
    {
      fields: { ...papaya.fields, first: { type: 'string', media: 'image', role: 'first_frame', description: 'One.' } },
    },
    ['/fields/first_image'],
  ],
  [
    'a role on a field of another kind',
    { fields: { ...papaya.fields, loud: { type: 'number', role: 'sound', description: 'Loud.', default: 1 } } },
    ['/fields/loud'],
  ],
  ['a variant that is none', { mentions: { characters: ['p-3'] } }, ['/mentions/characters']],
  [
    'a narrowed token that is none',
    { options_by_model: { 'p-2': { resolution: ['1080p'] } } },
    ['/options_by_model/p-2/resolution'],
  ],
  [
    'a default that the default variant refuses',
    { options_by_model: { 'p-1': { resolution: ['720p'] } } },
    ['/fields/resolution/default'],
  ],
  [
    'a list of a variant that narrows nothing',
    { options_by_model: { 'p-2': { resolution: ['720p', '480p'] } } },
    ['/options_by_model/p-2/resolution'],
  ],
  [
    'a narrowed field of a variant that is none',
    { options_by_model: { 'p-3': { resolution: ['720p'] } } },
    ['/options_by_model'],
  ],
  [
    'tokens that are numbers',
    { fields: { ...papaya.fields, resolution: { enum: [480, 720], default: '480p' } } },
    ['/fields/resolution/enum/0', '/fields/resolution/enum/1'],
  ],
  [
    'a sample rate that MP3 does not have',
    { fields: { ...papaya.fields, sample_rate: { minimum: 1, maximum: 48000, multipleOf: 1, default: 8000 } } },
    ['/fields/sample_rate'],
  ],
  [
    'more media than a request can bring',
    { needs: { source_video: 1, reference: 9 } },
    ['/needs/source_video', '/needs/reference'],
  ],
  ['a resolution without pixels', { output: { ...papaya.output, side: { '480p': 480 } } }, ['/output/side']],
  [
    'a price without a token',
    { price: { gems: 1, factors: { resolution: { '480p': 1 } } } },
    ['/price/factors/resolution'],
  ],
  [
    'a price that is not that of the defaults',
    { price: { gems: 1, factors: { resolution: { '480p': 2, '720p': 1 } } } },
    ['/price/factors/resolution'],
  ],
  ['a rule for source videos that it does not take', { source_video: { seconds: [1, 2] } }, ['/source_video']],
])('%s is refused by place', (_, changes, expected) => {
  expect(places(changes)).toEqual(expected);
});

test('a file of another shape is no crash', () => {
  for (const json of [null, [], 1, 'x', {}, { fields: [] }]) {
    expect(readCatalogFile(json).architecture).toBeNull();
    expect(readCatalogFile(json).issues).not.toEqual([]);
  }
});
