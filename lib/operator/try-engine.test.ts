import { mkdtempSync } from 'node:fs';
import { readFile, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, onTestFinished, test, vi, type MockInstance } from 'vitest';
import { COMMAND_LINE } from '#lib/accounts/audit';
import { trialState, type TrialStateWire, type TrialWire } from '#lib/contract/engine-schemas';
import { pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { collectOutput } from '#lib/engines/collect-output';
import { startComfyui, type ComfyuiTestServer } from '#lib/engines/comfyui/comfyui-test-server';
import { workflows } from '#lib/engines/comfyui/workflows';
import { json, startTestService } from '#lib/engines/remote/service-test-server';
import { sniffType } from '#lib/media/sniff';
import { addEngine } from '#lib/operator/change-engines';
import { entryFor, examineServer } from '#lib/operator/examine-server';
import { prepareTrial, type Trial } from '#lib/operator/prepare-trial';
import { sampleFile } from '#lib/operator/sample-file';
import { tryEngine } from '#lib/operator/try-engine';

vi.mock('#lib/operator/prepare-trial', { spy: true });
vi.mock('#lib/engines/collect-output', { spy: true });

await useOwnDatabase();
process.env.DATA_DIR = mkdtempSync(join(tmpdir(), 'pomona-trial-'));
process.env.LOG_LEVEL = 'silent';

const SECRET = 'a-secret-of-a-gpu-box';
let box: ComfyuiTestServer;

/** Returns the model files that the workflow of an architecture needs, found in its graph. */
const filesOf = (architecture: string): string[] =>
  workflows()
    .list.filter(one => one.architecture === architecture)
    .flatMap(({ graph }) => [...JSON.stringify(graph).matchAll(/"([^"]+\.safetensors)"/g)].map(([, name]) => name!));

beforeAll(async () => {
  box = await startComfyui({ version: '0.38.1', files: filesOf('z_image'), secret: SECRET });
});
afterAll(() => box.close());

const draft = (more: Partial<TrialWire> = {}): TrialWire => ({
  engine: {
    id: 'box',
    type: 'comfyui',
    paused: false,
    servers: [{ id: 'a', url: box.url, secret: { value: SECRET }, places: null }],
    options: {},
  },
  architecture: 'z_image',
  body: {},
  ...more,
});

async function all(trial: TrialWire): Promise<TrialStateWire[]> {
  const states = [];
  for await (const state of await tryEngine(trial, new AbortController().signal)) states.push(trialState.parse(state));
  return states;
}

test('examining a server reports its type, version, models, what it can make and which files it lacks', async () => {
  const found = await examineServer({ url: box.url, secret: { value: SECRET }, engine_id: undefined });
  expect(found).toMatchObject({ type: 'comfyui', url: box.url, ok: true, version: '0.38.1', id: 'comfyui' });
  // no `serves` list: a ComfyUI serves everything that has a workflow, whatever its files are called
  expect(found.options).toEqual({});
  expect(found.models.toSorted()).toEqual(filesOf('z_image').toSorted());
  const lacks = Object.fromEntries(found.serves.map(({ architecture, lacks }) => [architecture, lacks]));
  expect(lacks.z_image).toEqual([]);
  expect(lacks.anima).toContain('qwen_3_06b_base.safetensors');
  expect(JSON.stringify(found)).not.toContain(SECRET);
  const closed = await examineServer({ url: box.url, secret: null, engine_id: undefined });
  expect(closed).toMatchObject({ type: null, ok: false, detail: expect.stringContaining('secret') });
});

test('a ComfyUI that answers with a server error is not taken for one that requires a secret', async () => {
  const odd = await startTestService(
    async (_, route) => (route === 'GET /system_stats' ? json({ system: {}, devices: [] }) : json({}, 500)),
    () => {},
  );
  onTestFinished(() => odd.close());
  expect(await examineServer({ url: odd.url, secret: null, engine_id: undefined })).toMatchObject({
    type: 'comfyui',
    ok: false,
    wants_secret: false,
    detail: expect.stringContaining('answered 500'),
  });
});

test('an OpenAI-compatible server serves its models that are named like an architecture', async () => {
  const open = await startTestService(
    async (_, route) =>
      route === 'GET /v1/models'
        ? json({ data: [{ id: 'Z-Image/turbo', owned_by: 'sglang' }, { id: 'x' }] })
        : json({}, 404),
    () => {},
  );
  onTestFinished(() => open.close());
  const look = () => examineServer({ url: open.url, secret: null, engine_id: undefined });
  const found = await look();
  expect(found).toMatchObject({ type: 'openai', program: 'SGLang Diffusion', id: 'sglang-diffusion' });
  expect(found.options).toMatchObject({
    serves: [{ architecture: 'z_image', call: 'images', model: 'Z-Image/turbo' }],
  });
  expect(entryFor('lemon', found)).toMatchObject({ architecture: 'lemon', call: 'videos' });
  expect(() => entryFor('durian', found)).toThrow('There is no architecture durian');
  await addEngine(COMMAND_LINE, { ...draft().engine, id: found.id });
  expect((await look()).id).toBe('sglang-diffusion-2');
});

test('a trial on an unsaved engine returns previews and an image with its measured size', async () => {
  const states = await all(draft());
  const last = states.at(-1)!;
  expect(last).toMatchObject({ state: 'succeeded', media: { content_type: 'image/png', width: 896, height: 1120 } });
  expect(states.some(one => one.state === 'running' && one.frame?.startsWith('data:image/jpeg;base64,'))).toBe(true);
  const url = last.state === 'succeeded' ? last.media.url! : '';
  const {
    width,
    format,
    comments = [],
  } = await sharp(Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')).metadata();
  expect({ width, format }).toEqual({ width: 896, format: 'png' });
  expect(JSON.stringify(comments)).toContain('lighthouse');
  expect(JSON.stringify(states)).not.toContain(SECRET);
});

test('a successful trial clears the recorded trouble of its server, and a failed trial does not', async () => {
  const troubles = async () =>
    (await pool().query('select trouble from servers order by id')).rows.map(({ trouble }) => trouble);
  await pool().query(
    `insert into servers (id, engine, places, ok, trouble, trouble_at)
    select 'box/' || id, 'box', 1, true, 'no credit', now() from unnest(array['a', 'b']) as id`,
  );
  onTestFinished(async () => void (await pool().query('delete from servers')));
  await all(draft({ architecture: 'anima' }));
  expect(await troubles()).toEqual(['no credit', 'no credit']);
  await all(draft());
  expect(await troubles()).toEqual([null, 'no credit']);
});

test('a failed trial reports its reason, and an invalid trial is refused', async () => {
  expect((await all(draft({ architecture: 'anima' }))).at(-1)).toMatchObject({
    state: 'failed',
    code: 'model_missing',
    message: expect.stringContaining('anima-base-v1.0.safetensors'),
  });
  const gone = draft();
  gone.engine.servers[0]!.url = 'http://127.0.0.1:9';
  expect((await all(gone)).at(-1)).toMatchObject({ state: 'failed', code: 'engine_unavailable' });
  for (const [wrong, code] of [
    [{ architecture: 'nothing' }, 'not_found'],
    [{ architecture: 'mango' }, 'invalid_request'],
    [{ body: { num_inference_steps: -4 } }, 'invalid_request'],
    [{ server_id: 'b' }, 'not_found'],
  ] as const)
    await expect(tryEngine(draft(wrong), new AbortController().signal)).rejects.toMatchObject({ code });
});

test('a trial uses a served model and the shortest duration, unless the request says otherwise', async () => {
  const jobOf = async (trial: TrialWire) => (await prepareTrial(trial)).job;
  expect(await jobOf(draft({ architecture: 'ltx_video' }))).toMatchObject({ modelId: 'ltx-video-096-distilled' });
  const asked = { model_id: 'ltx-video-096-dev', seed: 7 };
  expect(await jobOf(draft({ architecture: 'ltx_video', body: asked }))).toMatchObject({
    modelId: 'ltx-video-096-dev',
    seed: 7,
  });
  const films = draft({ architecture: 'lemon' });
  const serves = [{ architecture: 'lemon', call: 'videos', model: 'x' }];
  films.engine = { ...films.engine, type: 'openai', options: { serves, stall_seconds: 90 } };
  expect(await prepareTrial(films)).toMatchObject({ job: { config: { duration: '2' } }, stallSeconds: 90, roles: [] });
  const torn = draft({ files: { architecture: {}, workflow: {} } });
  await expect(prepareTrial(torn)).rejects.toThrow('not complete yet');
});

test('trials have a sample image and a sample sound for required inputs, but no sample video', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pomona-sample-'));
  for (const role of ['reference', 'voice'] as const) {
    const { path, contentType } = await sampleFile(role, folder);
    expect(sniffType(await readFile(path))).toBe(contentType);
  }
  await expect(sampleFile('source_video', folder)).rejects.toMatchObject({ code: 'invalid_request' });
});

/** Runs a trial after applying a change to what `prepareTrial` returned. */
async function trialOf(change: (trial: Trial) => void): Promise<TrialStateWire> {
  const { prepareTrial: prepare } = await vi.importActual<{ prepareTrial: typeof prepareTrial }>(
    '#lib/operator/prepare-trial',
  );
  vi.mocked(prepareTrial).mockImplementationOnce(async wanted => {
    const trial = await prepare(wanted);
    change(trial);
    return trial;
  });
  return (await all(draft())).at(-1)!;
}

test.each(['succeeded', 'failed'])('the engine of a trial that %s is closed', async end => {
  let closes!: MockInstance;
  const last = await trialOf(({ engine }) => {
    closes = vi.spyOn(engine, 'close');
    if (end === 'failed') engine.submit = () => Promise.reject(new Error('no'));
  });
  expect(last.state).toBe(end);
  expect(closes).toHaveBeenCalledOnce();
});

test.each([
  [16_000_000, expect.stringMatching(/^data:image\/png;base64,/)],
  [16_000_001, null],
])('a result of %d bytes is returned inline unless it exceeds 16 MB', async (bytes, url) => {
  vi.mocked(collectOutput).mockImplementationOnce(async (_, { contentType, width, height }, __, folder) => {
    const path = join(folder, 'large');
    await writeFile(path, '');
    await truncate(path, bytes);
    return { path, contentType, width, height };
  });
  expect((await all(draft())).at(-1)).toMatchObject({ state: 'succeeded', media: { bytes, url } });
});

test('ending a trial early interrupts its job', async () => {
  const old = await startComfyui({ version: '0.3.64', files: filesOf('z_image') });
  const trial = draft({ body: { num_inference_steps: 50 } });
  trial.engine.servers = [{ id: 'a', url: old.url, secret: null, places: null }];
  for await (const { state } of await tryEngine(trial, new AbortController().signal)) if (state === 'running') break;
  expect(old.interrupts).toEqual([expect.any(String)]);
  await old.close();
});

test('a stored secret is used for its own server address only', async () => {
  await addEngine(COMMAND_LINE, draft().engine);
  const kept = draft();
  kept.engine.servers[0]!.secret = { kept: true };
  expect((await all(kept)).at(-1)).toMatchObject({ state: 'succeeded' });
  // a renamed engine is not saved under its new id yet, so its secret is found by `engine_id`
  const renamed = { ...kept, engine: { ...kept.engine, id: 'gpu' }, engine_id: 'box' };
  expect((await all(renamed)).at(-1)).toMatchObject({ state: 'succeeded' });
  expect(await examineServer({ url: box.url, secret: { kept: true }, engine_id: 'box' })).toMatchObject({ ok: true });
  const other = { url: 'http://127.0.0.1:9', secret: { kept: true }, engine_id: 'box' } as const;
  await expect(examineServer(other)).rejects.toMatchObject({ code: 'invalid_request' });
});
