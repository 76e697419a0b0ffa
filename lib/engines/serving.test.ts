import { copyFile, mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { catalog, getArchitecture } from '#lib/catalog/catalog';
import { fieldWarnings } from '#lib/catalog/field-warnings';
import { toRecipeEntry } from '#lib/catalog/recipe-entry';
import { listRecipes } from '#lib/catalog/recipes';
import { toCatalogEntry } from '#lib/catalog/to-entry';
import { refreshAbilities } from '#lib/catalog/engine-abilities';
import { db, pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { refreshDocuments, writeDocument } from '#lib/documents/documents';
import { noteInabilities } from '#lib/engines/abilities';
import { engines, ENGINES_DOCUMENT } from '#lib/engines/engines';
import { readEnginesFile } from '#lib/engines/engines-file';
import { seal, unseal } from '#lib/engines/sealed';
import { PREVIEW, servingOf } from '#lib/engines/serving';
import { env } from '#lib/env';
import { readInputs } from '#lib/recipes/read-inputs';
import { singletons } from '#lib/singleton';
import { sharedServers } from '#lib/worker/servers';

await useOwnDatabase();
process.env.DATA_DIR = await mkdtemp(join(tmpdir(), 'pomona-serving-'));
process.env.LOG_LEVEL = 'silent';
const settings = env();
const before = { ...settings };

const gpu = (more: object = {}) => ({
  id: 'gpu',
  type: 'comfyui',
  servers: [{ id: 'one', url: 'http://10.0.0.7:8188/' }],
  serves: [{ architecture: 'z_image' }],
  ...more,
});

async function use(...entries: object[]): Promise<void> {
  await db().transaction(tx => writeDocument(ENGINES_DOCUMENT, JSON.stringify({ engines: entries }), tx));
  await refreshDocuments();
}

beforeEach(() => use());
afterEach(() => Object.assign(settings, before, { PREVIEW_PRICE: undefined }));

test('an engine makes what it serves, and the preview engine makes everything else', async () => {
  await use(gpu());
  expect(servingOf('z_image', 'z-image-turbo')).toEqual({ engine: 'gpu', line: 'z_image/z-image-turbo' });
  expect(servingOf('mango', 'mango-v3')).toEqual({ engine: PREVIEW, line: PREVIEW });
  const entry = (id: string) => toCatalogEntry(getArchitecture(id), 'http://localhost');
  expect(entry('z_image').preview_models).toEqual([]);
  expect(entry('mango').preview_models).toContain('mango-v3');
});

test('a workflow file that is added later is served from then on, and workers take its requests', async () => {
  Object.assign(settings, { CATALOG_DIR: await mkdtemp(join(tmpdir(), 'pomona-workflows-')) });
  const files = join(settings.CATALOG_DIR, 'workflows');
  await mkdir(files);
  const forget = () => void singletons.delete('comfyui.workflows');
  forget();
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => {
    vi.useRealTimers();
    forget();
  });
  await use(gpu({ serves: undefined }));
  const previews = () => catalog().find('z_image')!.preview_models;
  const lines = () => sharedServers().flatMap(server => server.lines);
  expect([previews(), lines()]).toEqual([['z-image-turbo'], []]);
  await copyFile(join(before.CATALOG_DIR, 'workflows/z_image.json'), join(files, 'z_image.json'));
  vi.advanceTimersByTime(1_000);
  expect([previews(), lines()]).toEqual([[], ['z_image/z-image-turbo']]);
});

test('the first engine that is not paused serves, and requests go to a paused one if all are paused', async () => {
  await use(gpu({ paused: true }), gpu({ id: 'spare' }));
  expect(servingOf('z_image', 'z-image-turbo')?.engine).toBe('spare');
  await use(gpu({ paused: true }));
  expect(servingOf('z_image', 'z-image-turbo')).toEqual({ engine: 'gpu', line: 'z_image/z-image-turbo' });
});

test('an engine serves what one of its servers has the files for, as last reported by them', async () => {
  const servers = [
    { id: 'one', url: 'http://10.0.0.7:8188/' },
    { id: 'two', url: 'http://10.0.0.8:8188/' },
  ];
  await use(gpu({ servers, serves: [{ architecture: 'z_image' }, { architecture: 'anima' }] }));
  const add = (id: string, answered: string | null, lacks: string[]) =>
    pool().query(
      `insert into servers (id, engine, places, ok, answered_at, lacks) values ($1, 'gpu', 2, false, $2, $3)
      on conflict (id) do update set answered_at = excluded.answered_at, lacks = excluded.lacks`,
      [id, answered, lacks],
    );
  const makers = async () => {
    await refreshAbilities();
    return [servingOf('z_image', 'z-image-turbo'), servingOf('anima', 'anima-v1')].map(one => one?.engine);
  };
  expect(await makers()).toEqual([PREVIEW, PREVIEW]);
  await add('gpu/one', null, []);
  expect(await makers()).toEqual([PREVIEW, PREVIEW]);
  await add('gpu/one', '2026-01-01', ['anima/anima-v1', 'z_image/z-image-turbo']);
  await add('gpu/two', '2026-01-01', ['anima/anima-v1']);
  expect(await makers()).toEqual(['gpu', PREVIEW]);
  const previews = () => catalog().find('anima')?.preview_models;
  expect(previews()).toEqual(['anima-v1']);
  await add('gpu/two', '2026-01-01', []);
  expect(await makers()).toEqual(['gpu', 'gpu']);
  expect(previews()).toEqual([]);
  await pool().query('delete from servers');
  noteInabilities(undefined);
});

test('a warning names each field of a request that the workflow of the engine does not use', async () => {
  const body = { prompt: 'a heron', decode_timestep: 0.1, num_inference_steps: 20 };
  const named = () => fieldWarnings(getArchitecture('ltx_video'), 'ltx-video-096-dev', body);
  expect(named()).toEqual([]);
  await use(gpu({ serves: [{ architecture: 'ltx_video' }] }));
  expect(named()).toEqual([
    {
      path: '/decode_timestep',
      message: 'decode_timestep does nothing here: the workflow that makes LTX Video has no use for it.',
    },
  ]);
  // these fields are bound only for one of the two variants each
  const guided = { prompt: 'a heron', guidance_scale: 9, negative_prompt: 'mist', num_inference_steps: 9 };
  const pathsOf = (model: string) => fieldWarnings(getArchitecture('ltx_video'), model, guided).map(({ path }) => path);
  expect(pathsOf('ltx-video-096-dev')).toEqual(['/num_inference_steps']);
  expect(pathsOf('ltx-video-096-distilled')).toEqual(['/guidance_scale', '/negative_prompt']);
});

test('a warning names a value that is limited to another one, and a negative prompt without effect', async () => {
  await use(gpu({ serves: ['ltx_video', 'chroma', 'hidream', 'z_image'].map(architecture => ({ architecture })) }));
  const named = (architecture: string, model: string, body: object) =>
    fieldWarnings(getArchitecture(architecture), model, { prompt: 'a heron', ...body }).map(({ message }) => message);
  const steps = { num_inference_steps: 10 };
  expect(named('ltx_video', 'ltx-video-096-dev', steps)).toEqual([
    'num_inference_steps is 20 here: the workflow that makes LTX Video takes no less.',
  ]);
  expect(named('ltx_video', 'ltx-video-096-distilled', steps)).toEqual([]);
  expect(named('ltx_video', 'ltx-video-096-dev', { num_inference_steps: 20, guidance_scale: 1 })).toEqual([]);
  expect(named('chroma', 'chroma-v1-hd', { guidance_scale: 0 })).toEqual([
    'guidance_scale is 1 here: the workflow that makes Chroma takes no less.',
  ]);
  const unheard = (guidance: number) => [
    `negative_prompt does nothing with a guidance_scale of ${guidance}: send one above 1.`,
  ];
  const negative_prompt = 'mist';
  expect(named('hidream', 'hidream-fast', { negative_prompt })).toEqual(unheard(0));
  expect(named('hidream', 'hidream-fast', { negative_prompt, guidance_scale: 1 })).toEqual(unheard(1));
  expect(named('hidream', 'hidream-fast', { negative_prompt, guidance_scale: 3 })).toEqual([]);
  expect(named('hidream', 'hidream-fast', { negative_prompt: '' })).toEqual([]);
  const parameters = { steps: { from: 'config.num_inference_steps', max: 8 } };
  await use(gpu({ type: 'fal', serves: [{ architecture: 'z_image', model: 'a/b', parameters }] }));
  expect(named('z_image', 'z-image-turbo', steps)).toEqual([
    'num_inference_steps is 8 here: the engine that makes Z-Image takes no more.',
  ]);
});

test('a warning names each field of a request for which the entry of a remote model has no parameter', async () => {
  const body = { prompt: 'a heron', aspect_ratio: '1:1', duration: '5', shot_type: 'multi', seed: 3 };
  const pathsOf = async (more: object) => {
    const serves = [{ architecture: 'blueberry', model: 'a/b', ...more }];
    await use(gpu({ type: 'fal', serves }));
    return fieldWarnings(getArchitecture('blueberry'), 'blueberry', body).map(({ path }) => path);
  };
  expect(await pathsOf({})).toEqual(['/aspect_ratio', '/duration', '/shot_type']);
  const parameters = { seed: null, seconds: { from: 'output.duration' }, ratio: { from: 'config.aspect_ratio' } };
  expect(await pathsOf({ parameters })).toEqual(['/shot_type', '/seed']);
  const serves = [{ architecture: 'blueberry', call: 'videos', parameters: { shots: { from: 'config.shot_type' } } }];
  await use(gpu({ type: 'openai', serves }));
  const named = fieldWarnings(getArchitecture('blueberry'), 'blueberry', body);
  expect(named).toEqual([
    { path: '/seed', message: 'seed does nothing here: the engine that makes Blueberry has no use for it.' },
  ]);
});

test('PREVIEW=on previews everything, and PREVIEW=off hides what no engine serves', async () => {
  await use(gpu());
  settings.PREVIEW = 'on';
  expect(servingOf('z_image', 'z-image-turbo')?.engine).toBe(PREVIEW);
  settings.PREVIEW = 'off';
  expect(servingOf('mango', 'mango-v3')).toBeNull();
  await use(gpu({ id: 'other' }));
  expect(
    catalog()
      .list()
      .map(({ id }) => id),
  ).toEqual(['z_image']);
  expect(() => getArchitecture('mango')).toThrow(expect.objectContaining({ code: 'architecture_not_found' }));
});

test('the entry of a partly served architecture describes only its served variants, with their defaults', async () => {
  settings.PREVIEW = 'off';
  const offer = async (architecture: string, ...model_ids: string[]) => {
    await use(gpu({ type: 'fal', serves: [{ architecture, model_ids, model: 'a/b' }] }));
    return toCatalogEntry(getArchitecture(architecture), 'http://localhost');
  };
  const entry = await offer('berry', 'berry');
  const { model_id, resolution } = entry.input_schema.properties;
  expect([model_id, resolution]).toMatchObject([{ enum: ['berry'], default: 'berry' }, { default: '720p' }]);
  expect(entry.base_config).toMatchObject({ model_id: 'berry', resolution: '720p' });
  expect(entry.mentions.characters).toEqual(['berry']);
  expect([entry.options.resolution, entry.options_by_model]).toEqual([['720p', '1080p'], {}]);
  expect([entry.video_inputs, entry.source_video]).toMatchObject([{ field: 'video' }, { models: ['berry'] }]);
  const silent = await offer('berry', 'berry-2');
  expect([silent.video_inputs, silent.source_video]).toEqual([null, null]);
  expect(silent.input_schema.properties).not.toHaveProperty('video');
  expect(silent.options.resolution).toEqual(['720p', '1080p', '480p']);
  const small = await offer('cherry', 'cherry-mini');
  expect([small.max_images, small.max_images_by_model]).toEqual([8, {}]);
  expect(small.input_schema.properties.additional_images).toMatchObject({ maxItems: 8 });
  const unlike = await offer('cherry', 'cherry-mini', 'cherry-2-pro');
  expect(unlike).toMatchObject({ max_images: 50, max_images_by_model: { 'cherry-mini': 8 } });
  expect(unlike.base_config.model_id).toBe('cherry-2-pro');
  expect(unlike.input_schema.properties.additional_images).toMatchObject({ maxItems: 50 });
  // with several variants, options that only some of them take are listed too
  const two = await offer('cherry', 'cherry', 'cherry-pro');
  expect(two.base_config).toMatchObject({ model_id: 'cherry', resolution: '480p', duration: '4' });
  expect(two.options).toMatchObject({
    resolution: ['480p', '720p', '1080p', '4k'],
    duration: ['4', '5', '8', '10', '15'],
  });
  expect(two.options_by_model).toEqual({ cherry: { resolution: ['480p', '720p'] } });
  expect([two.source_video?.seconds, two.source_video?.seconds_by_model]).toEqual([[2, 15], {}]);
});

test('a recipe offers only choices that lead to served variants, and is hidden if there are none', async () => {
  settings.PREVIEW = 'off';
  const offer = async (...model_ids: string[]) => {
    await use(gpu({ type: 'fal', serves: [{ architecture: 'mango', model_ids, model: 'a/b' }] }));
    return listRecipes().find(({ id }) => id === 'relight');
  };
  const whole = await offer('mango-v3', 'mango-v3-turbo');
  expect(whole?.inputs.quality).toMatchObject({ enum: ['fast', 'best'], default: 'fast' });
  const best = await offer('mango-v3');
  expect(best?.inputs).toEqual({
    ...whole?.inputs,
    quality: { ...whole?.inputs.quality, enum: ['best'], default: 'best' },
  });
  const entry = toRecipeEntry(best!, 'http://localhost');
  expect(entry.base_config).toMatchObject({ quality: 'best' });
  expect(readInputs(best!, { quality: 'fast' }).issues).toMatchObject([{ path: '/picture' }, { path: '/quality' }]);
  expect(await offer('mango')).toBeUndefined();
});

test('PREVIEW_PRICE is the price of previews only', async () => {
  await use(gpu());
  settings.PREVIEW_PRICE = 2;
  await use(gpu({ id: 'other' }));
  const entry = (id: string) => toCatalogEntry(getArchitecture(id), 'http://localhost');
  expect(entry('mango').gems).toBe(2);
  expect(entry('z_image').gems).toBe(10);
});

test.each<[string, object, string, RegExp]>([
  ['another type', { type: 'magic' }, '/engines/0/type', /comfyui/],
  ['no server', { servers: [] }, '/engines/0/servers', /./],
  ['an address of another kind', { servers: [{ id: 'a', url: 'ftp://x' }] }, '/engines/0/servers/0/url', /http/],
  ['a password in an address', { servers: [{ id: 'a', url: 'http://u:p@x' }] }, '/engines/0/servers/0/url', /user/],
  ['an unknown member', { gpus: 4 }, '/engines/0', /gpus/],
  ['the name of the preview engine', { id: 'preview' }, '/engines/0/id', /built-in/],
])('an engines file with %s is rejected with the path of the error', (_, change, path, says) => {
  const { engines, issues } = readEnginesFile(JSON.stringify({ engines: [gpu(change)] }));
  expect(engines).toBeNull();
  expect(issues).toEqual([{ path, message: expect.stringMatching(says) }]);
});

test('a slash at the end of a server address is removed', async () => {
  await use(gpu());
  expect(engines()[0]?.servers[0]?.url).toBe('http://10.0.0.7:8188');
});

test('a sealed secret can be read only unaltered and with its key, and an unset or reserved variable cannot', () => {
  const sealed = seal('hush');
  expect(sealed).not.toContain('hush');
  expect(unseal({ sealed })).toBe('hush');
  const forged = `${sealed.slice(0, -2)}${sealed.endsWith('AA') ? 'BB' : 'AA'}`;
  expect(() => unseal({ sealed: forged })).toThrow('another deployment');
  settings.SECRET_KEY = 'the key of another deployment';
  singletons.delete('secret.engines');
  expect(() => unseal({ sealed })).toThrow('another deployment');
  settings.SECRET_KEY = before.SECRET_KEY;
  singletons.delete('secret.engines');
  expect(() => unseal({ env: 'NOT_SET_ANYWHERE' })).toThrow('NOT_SET_ANYWHERE');
  process.env.AWS_SECRET_ACCESS_KEY = 'of the store';
  expect(() => unseal({ env: 'AWS_SECRET_ACCESS_KEY' })).toThrow('AWS_SECRET_ACCESS_KEY');
  delete process.env.AWS_SECRET_ACCESS_KEY;
});
