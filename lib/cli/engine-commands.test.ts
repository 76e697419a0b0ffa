import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listAudit } from '#lib/accounts/audit';
import { pomona, pomonaWith } from '#lib/cli/cli-test-run';
import { db } from '#lib/db/client';
import { servers } from '#lib/db/schema';
import { useOwnDatabase } from '#lib/db/test-database';
import { refreshDocuments } from '#lib/documents/documents';
import { startComfyui, type ComfyuiTestServer } from '#lib/engines/comfyui/comfyui-test-server';
import { PORTRAIT } from '#lib/engines/comfyui/workflow-test-data';
import { engines } from '#lib/engines/engines';
import { json, startTestService } from '#lib/engines/remote/service-test-server';

await useOwnDatabase();
const folder = await mkdtemp(join(tmpdir(), 'pomona-cli-engines-'));
process.env.DATA_DIR = folder;

const SECRET = 'a-secret-of-a-gpu-box';
let box: ComfyuiTestServer;
beforeAll(async () => {
  box = await startComfyui({ version: '0.38.1', files: ['portrait.safetensors'], secret: SECRET });
  await writeFile(join(folder, 'soft_portrait_api.json'), JSON.stringify(PORTRAIT));
});
afterAll(() => box.close());

const file = join(folder, 'soft_portrait_api.json');

test('an engine is added, a workflow is imported, tested, updated and exported, and both are removed', async () => {
  expect(await pomona('workflow', 'import', file)).toMatchObject({
    code: 1,
    err: expect.stringContaining('Connect a ComfyUI first'),
  });
  expect(await pomona('engine', 'add', box.url)).toMatchObject({
    code: 1,
    out: expect.stringContaining('needs a secret'),
  });
  const added = await pomonaWith({ input: SECRET }, 'engine', 'add', box.url, '--secret-stdin', '--id', 'box');
  expect(added).toMatchObject({ code: 0, err: '' });
  expect(added.out).toContain(`comfyui 0.38.1 at ${box.url}\n`);
  expect(added.out).toMatch(/lacks for z_image z-image-turbo\n {6}z_image_turbo_bf16\.safetensors\n/);
  expect(added.out).toContain('box is connected.');
  await refreshDocuments();
  expect(engines()).toMatchObject([{ id: 'box', type: 'comfyui' }]);

  const dry = await pomona('workflow', 'import', file, '--dry-run');
  expect(dry).toMatchObject({ code: 0, out: expect.stringContaining('field  grain: 0.2 (@grain.value)') });
  expect(dry.out).toContain('always ckpt_name: portrait.safetensors');
  const imported = await pomona('workflow', 'import', file, '--name', 'Soft portrait', '--gems', '12');
  expect(imported.out).toMatch(/Soft portrait is offered as soft_portrait for 12 gems\.\n$/);
  expect((await pomona('workflow', 'list')).out).toMatch(/^soft_portrait +soft_portrait +Soft portrait/m);

  const picture = join(folder, 'picture.png');
  const tested = await pomona('engine', 'test', 'box', '--architecture', 'soft_portrait', '--to', picture);
  expect(tested).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^It works: soft_portrait, image\/png, \d+×\d+, in /),
  });
  expect((await readFile(picture)).subarray(1, 4).toString()).toBe('PNG');

  const nowhere = await pomona('engine', 'test', 'box', '--architecture', 'soft_portrait', '--to', '/nowhere/a.png');
  expect(nowhere).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^\s*(\d+ % \s*)*\/nowhere\/a\.png cannot be written: .*\n$/),
  });

  await writeFile(file, JSON.stringify(PORTRAIT).replace('"steps":24', '"steps":40'));
  const update = await pomona('workflow', 'import', file, '--replaces', 'soft_portrait');
  expect(update).toMatchObject({ code: 0, out: expect.stringContaining('value  config.num_inference_steps: 24 → 40') });
  expect(update.out).toContain('for 12 gems');

  const exported = await pomona('workflow', 'export', 'soft_portrait', '--to', folder);
  const paths = ['architectures', 'workflows'].map(kind => join(folder, kind, 'soft_portrait.json'));
  expect(exported.out).toBe(`${paths.join('\n')}\n`);
  expect(JSON.parse(await readFile(paths[0]!, 'utf8'))).toMatchObject({ id: 'soft_portrait', price: { gems: 12 } });
  expect(JSON.parse(await readFile(paths[1]!, 'utf8'))).toMatchObject({ architecture: 'soft_portrait' });

  expect((await pomona('engine', 'pause', 'box')).out).toBe('box is paused.\n');
  expect((await pomona('engine', 'list')).out).toMatch(/^box +comfyui +paused/m);
  expect((await pomona('engine', 'resume', 'box')).out).toBe('box is resumed.\n');
  expect((await pomona('workflow', 'remove', 'soft_portrait')).out).toBe('soft_portrait is removed.\n');
  expect((await pomona('engine', 'remove', 'box')).out).toBe('box is removed.\n');
  const acts = (await listAudit()).data.map(({ actor, act }) => `${actor}: ${act}`);
  expect(acts).toContain('command line: workflow.import');
  expect(acts[0]).toBe('command line: engine.remove');
}, 60_000);

test('engine list reports a broken engines.json, and an engine whose jobs fail', async () => {
  await db().insert(servers).values({ id: 'preview/a', engine: 'preview', places: 1, trouble: 'no memory' });
  await writeFile(join(folder, 'engines.json'), '{"engines": [');
  const { code, out, err } = await pomona('engine', 'list', '--json');
  await rm(join(folder, 'engines.json'));
  await db().delete(servers).where(eq(servers.id, 'preview/a'));
  expect(code).toBe(0);
  expect(err).toMatch(/^\S+engines\.json has an error and is not used: .*JSON.*\n$/);
  const [preview] = (JSON.parse(out) as { id: string }[]).filter(({ id }) => id === 'preview');
  expect(preview).toMatchObject({ state: 'jobs fail', makes: expect.arrayContaining(['mango']), lacks: [] });
}, 60_000);

test('engine add --serves stores the call and body format of each served architecture', async () => {
  const vllm = await startTestService(
    async (_, route) =>
      route === 'GET /v1/models' ? json({ data: [{ id: 'ltx', owned_by: 'vllm' }] }) : json({}, 404),
    () => {},
  );
  const add = (...serves: string[]) => pomona('engine', 'add', vllm.url, '--id', 'vllm', '--serves', ...serves);
  expect(await add('ltx=x')).toMatchObject({ code: 1, err: expect.stringContaining('There is no architecture ltx.') });
  expect(await add('ltx_video=x=y', 'seed_audio', 'z_image')).toMatchObject({ code: 0, err: '' });
  await vllm.close();
  await refreshDocuments();
  expect(engines().find(({ id }) => id === 'vllm')?.options).toMatchObject({
    serves: [
      { architecture: 'ltx_video', call: 'videos', body: 'form', model: 'x=y' },
      { architecture: 'seed_audio', call: 'audio' },
      { architecture: 'z_image', call: 'images' },
    ],
  });
  expect(await pomona('engine', 'remove', 'vllm')).toMatchObject({ code: 0 });
}, 60_000);

test.concurrent.each([
  [['engine', 'test', 'nobody'], 1, 'There is no engine nobody.'],
  [['engine', 'test', 'preview'], 1, 'The engine preview is built in: '],
  [['engine', 'pause', 'preview'], 1, 'The setting PREVIEW says what it draws'],
  [['engine', 'add', 'ftp://x'], 1, 'The address must look like'],
  [['engine', 'add'], 2, 'address'],
  [['workflow', 'import', '/nowhere.json'], 1, 'cannot be read'],
  [['workflow', 'export', 'nothing'], 1, 'There is no workflow nothing.'],
])('a command that cannot be done fails with the reason: %j', async (args, code, told) => {
  expect(await pomona(...args)).toMatchObject({ code, err: expect.stringContaining(told) });
});
