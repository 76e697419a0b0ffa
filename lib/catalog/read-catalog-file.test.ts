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

const { papaya_shape, resolution, duration } = papaya.fields;
const withField = (name: string, field: object) => ({ fields: { ...papaya.fields, [name]: field } });
const RATE = { minimum: 8000, maximum: 48_000, multipleOf: 1, default: 8000 };

const places = (changes: object) => readCatalogFile({ ...papaya, ...changes }).issues.map(({ path }) => path);

test('a role gives a field with a custom name its meaning', () => {
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

test('variants come from model_ids, and an image list allows the highest limit of any variant', () => {
  const { architecture } = readCatalogFile({
    ...papaya,
    fields: { ...papaya.fields, image: {}, additional_images: {}, model_id: { enum: ['p-9'], default: 'p-9' } },
    max_images: 2,
    max_images_by_model: { 'p-2': 5 },
  });
  expect(architecture?.fields.model_id).toMatchObject({ enum: ['p-1', 'p-2'], default: 'p-1' });
  expect(architecture?.fields.additional_images?.maxItems).toBe(5);
  const fewer = { ...papaya, ...withField('additional_images', { maxItems: 1 }), max_images: 2 };
  expect(readCatalogFile(fewer).architecture?.fields.additional_images?.maxItems).toBe(1);
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
  ...[{ minimum: 1 }, { maximum: 96_000 }, { multipleOf: undefined }].map((other): [string, object, string[]] => [
    `a sample rate that MP3 does not have (${JSON.stringify(other)})`,
    withField('sample_rate', { ...RATE, ...other }),
    ['/fields/sample_rate'],
  ]),
  ['a field without a type', withField('sweet', { description: 'Sweet.', default: true }), ['/fields/sweet']],
  ['a field without a description', withField('sweet', { type: 'boolean', default: true }), ['/fields/sweet']],
  [
    'tokens of what is no text',
    withField('sweet', { type: 'boolean', description: 'Sweet.', enum: ['a'], default: 'a' }),
    ['/fields/sweet/enum'],
  ],
  [
    'a file without a role',
    withField('sweet', { type: 'string', media: 'image', description: 'Sweet.' }),
    ['/fields/sweet'],
  ],
  [
    'a list without a role',
    withField('sweet', { type: 'array', nullable: true, description: 'Sweet.' }),
    ['/fields/sweet'],
  ],
  [
    'a shape that is none',
    withField('papaya_shape', { ...papaya_shape, enum: ['0:1', '1:1'] }),
    ['/fields/papaya_shape'],
  ],
  ['a length that is none', withField('duration', { enum: ['0', '5'], default: '5' }), ['/fields/duration']],
  [
    'further images that are no list',
    { ...withField('additional_images', { type: 'string' }), max_images: 2 },
    ['/fields/additional_images'],
  ],
  ['a reference image of none', withField('image', {}), ['/max_images']],
  [
    'variants that are none, wherever they are named',
    {
      ...withField('video', {}),
      mentions: { references: ['p-3'], audio_references: ['p-3'] },
      max_images_by_model: { 'p-3': 1 },
      source_video: { seconds: [1, 2], models: ['p-3'], seconds_by_model: { 'p-3': [1, 2] } },
    },
    [
      '/mentions/references',
      '/mentions/audio_references',
      '/max_images_by_model',
      '/source_video/seconds_by_model',
      '/source_video/models',
    ],
  ],
  [
    'narrowed tokens of what has none',
    { options_by_model: { 'p-2': { seed: ['1'] } } },
    ['/options_by_model/p-2/seed'],
  ],
  ['a price by what has no tokens', { price: { gems: 1, factors: { seed: { 1: 1 } } } }, ['/price/factors/seed']],
  ['a film without a size', { output: null }, ['/output']],
  ['a film without a shape', { fields: { resolution, duration } }, ['/fields']],
  ['a film that stands still', { output: { ...papaya.output, fps: 0 } }, ['/output/fps']],
  ['a film without an end', { fields: { papaya_shape, resolution }, price: { gems: 1 } }, ['/output/frames']],
  [
    'sizes by a resolution that is not asked for',
    { fields: { papaya_shape, duration }, options_by_model: {}, price: { gems: 1 } },
    ['/output/side'],
  ],
  [
    'sound without a length',
    { type: 'audio', fields: {}, options_by_model: {}, output: null, price: { gems: 1 } },
    ['/fields'],
  ],
  [
    'more media than a request can bring',
    { needs: { source_video: 1, reference: 9, mask: 1, last_frame: 1 } },
    ['/needs/source_video', '/needs/reference', '/needs/mask', '/needs/last_frame'],
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
])('%s is refused and reported by path', (_, changes, expected) => {
  expect(places(changes)).toEqual(expected);
});

test('JSON of another shape is refused with issues', () => {
  for (const json of [null, [], 1, 'x', {}, { fields: [] }]) {
    expect(readCatalogFile(json).architecture).toBeNull();
    expect(readCatalogFile(json).issues).not.toEqual([]);
  }
});
