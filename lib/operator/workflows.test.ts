import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createAccount } from '#lib/accounts/accounts';
import { COMMAND_LINE, listAudit } from '#lib/accounts/audit';
import { catalog } from '#lib/catalog/catalog';
import { toCatalogEntry } from '#lib/catalog/to-entry';
import { builtWorkflow, importChoices, readWorkflow, type ImportChoicesWire } from '#lib/contract/engine-schemas';
import { pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { documents, refreshDocuments } from '#lib/documents/documents';
import { startComfyui, type ComfyuiTestServer } from '#lib/engines/comfyui/comfyui-test-server';
import { PORTRAIT } from '#lib/engines/comfyui/workflow-test-data';
import { servingOf } from '#lib/engines/serving';
import { prepareGeneration } from '#lib/generations/prepare';
import { makeImage } from '#lib/media/media-test-files';
import { changeArchitecture } from '#lib/operator/architectures';
import { buildWorkflow } from '#lib/operator/build-workflow';
import { addEngine, getEngine } from '#lib/operator/change-engines';
import { prepareTrial } from '#lib/operator/prepare-trial';
import { readWorkflowFile } from '#lib/operator/read-workflow-file';
import { tryEngine } from '#lib/operator/try-engine';
import { findSaved, getWorkflow, listWorkflows, removeWorkflow, saveWorkflow } from '#lib/operator/workflows';

await useOwnDatabase();
process.env.DATA_DIR = mkdtempSync(join(tmpdir(), 'pomona-workflows-'));

let box: ComfyuiTestServer;
beforeAll(async () => {
  box = await startComfyui({ version: '0.38.1', files: ['portrait.safetensors'] });
});
afterAll(() => box.close());

const read = (graph: object, more: object = {}) =>
  readWorkflowFile({
    text: JSON.stringify(graph),
    base64: undefined,
    engine_id: undefined,
    replaces: undefined,
    ...more,
  });
const connect = (options: Record<string, unknown> = {}) =>
  addEngine(COMMAND_LINE, {
    id: 'box',
    type: 'comfyui',
    paused: false,
    servers: [{ id: 'a', url: box.url, secret: null, places: null }],
    options,
  });
const chosen = (choices: Partial<ImportChoicesWire> = {}) =>
  importChoices.parse({ id: 'portrait', name: 'Portrait', ...choices });

async function imported(choices: Partial<ImportChoicesWire> = {}) {
  const { found } = await read(PORTRAIT);
  const { architecture, workflow, issues } = buildWorkflow({ found, choices: chosen(choices), add: {} });
  expect(issues).toEqual({ architecture: [], workflow: [] });
  return saveWorkflow(COMMAND_LINE, 'portrait', { architecture, workflow });
}

beforeEach(async () => {
  await pool().query('delete from documents');
  await pool().query('delete from audit_log');
  await refreshDocuments();
});

test('an imported workflow becomes an architecture with its own price, served by its ComfyUI immediately', async () => {
  await connect();
  const reading = readWorkflow.parse(JSON.parse(JSON.stringify(await read(PORTRAIT))));
  expect(reading).toMatchObject({ engine_id: 'box', update: null, found: { missing: { nodes: [], files: [] } } });
  const saved = await imported({
    fields: { grain: { name: 'film_grain', field: { title: 'Film grain', maximum: 1 } }, guidance_scale: false },
    ratios: ['1:1', '3:4'],
    sizes: { '1K': 1024, '2K': 2048 },
    price: { gems: 12, factors: { resolution: { '1K': 2, '2K': 3, '8K': 9 }, nothing: { x: 2 } } },
  });
  expect(saved).toMatchObject({ id: 'portrait', from: 'own', gems: 12 });
  const entry = toCatalogEntry(catalog().find('portrait')!, 'http://x');
  expect(Object.keys(entry.input_schema.properties)).toEqual(
    expect.arrayContaining(['prompt', 'negative_prompt', 'seed', 'film_grain', 'aspect_ratio', 'resolution']),
  );
  expect(entry.input_schema.properties).not.toHaveProperty('guidance_scale');
  expect(entry.price).toMatchObject({ gems: 12, factors: { resolution: { '1K': 1, '2K': 3 } } });
  expect(entry.price.factors).not.toHaveProperty('nothing');
  expect(entry).toMatchObject({ gems: 12, options: { resolution: ['1K', '2K'], aspect_ratio: ['1:1', '3:4'] } });
  expect(servingOf('portrait', 'portrait')).toEqual({ engine: 'box', line: 'portrait/portrait' });
  expect(saved).toMatchObject(listWorkflows()[0]!);
  const after = { architecture: 'portrait', price: { gems: 12 } };
  expect((await listAudit()).data[0]).toMatchObject({ act: 'workflow.import', subject: 'portrait', after });
});

test('a generation without the image that its workflow requires is refused before it is admitted', async () => {
  await connect();
  const { found } = await read({
    '1': { class_type: 'LoadImage', inputs: { image: 'given.png' } },
    '2': { class_type: 'ImageBlur', inputs: { image: ['1', 0], blur_radius: 3, sigma: 1 } },
    '3': { class_type: 'SaveImage', inputs: { images: ['2', 0], filename_prefix: 'x' } },
  });
  const { architecture, workflow } = buildWorkflow({ found, choices: chosen({ id: 'blur' }), add: {} });
  await saveWorkflow(COMMAND_LINE, 'blur', { architecture, workflow });
  expect(toCatalogEntry(catalog().find('blur')!, 'http://x')).toMatchObject({
    needs: { reference: 1 },
    input_schema: { required: ['prompt', 'image'] },
  });
  const { id } = await createAccount({ email: 'ana@pomona.example' });
  const admit = vi.fn();
  await expect(prepareGeneration(id, 'blur', { prompt: 'soft' }, { admit })).rejects.toMatchObject({
    code: 'invalid_config',
    extra: { issues: [{ path: '/image', message: expect.stringContaining('needs a reference image') }] },
  });
  expect(admit).not.toHaveBeenCalled();
  const image = `data:image/png;base64,${(await makeImage(64, 64).png().toBuffer()).toString('base64')}`;
  expect(await prepareGeneration(id, 'blur', { prompt: 'soft', image }, { admit })).toMatchObject({
    inputs: [{ role: 'reference' }],
  });
  // a trial provides no image, so a sample file must be added for this role
  const { roles } = await prepareTrial({ engine: getEngine('box'), architecture: 'blur', body: {} });
  expect(roles).toEqual(['reference']);
});

test('a trial of unsaved workflow files runs their graph', async () => {
  await connect();
  const { found } = await read(PORTRAIT);
  const files = buildWorkflow({ found, choices: chosen(), add: {} });
  const trial = { engine: getEngine('box'), architecture: 'portrait', body: { prompt: 'a fig' }, files };
  const states = [];
  for await (const state of await tryEngine(trial, new AbortController().signal)) states.push(state);
  expect(states.at(-1)).toMatchObject({ state: 'succeeded' });
  expect(JSON.stringify(box.taken.at(-1))).toContain('a fig');
  expect(listWorkflows().some(({ id }) => id === 'portrait')).toBe(false);
});

test('a new version of a workflow keeps fields, titles and price, lists the changes, and accepts more fields', async () => {
  await connect();
  await imported({ price: { gems: 12 }, fields: { grain: { name: 'film_grain', field: { title: 'Film grain' } } } });
  // renumbered nodes, another number of steps and one more node
  const edited = Object.fromEntries(
    Object.entries(JSON.parse(JSON.stringify(PORTRAIT).replaceAll(/"(\d+)"/g, '"9$1"')) as typeof PORTRAIT),
  );
  const sampler = Object.values(edited).find(node => node.class_type === 'KSampler')!;
  sampler.inputs.steps = 40;
  Object.assign(edited, { '77': { class_type: 'PrimitiveFloat', inputs: { value: 0.5 }, _meta: { title: '@glow' } } });
  const { found, update } = await read(edited, { replaces: 'portrait' });
  expect(update).toMatchObject({ added: expect.arrayContaining(['glow']), replaces: 'own', gems: 12 });
  expect(update!.changes).toContainEqual({ from: 'config.num_inference_steps', what: 'value', was: 24, now: 40 });
  expect(update!.changes).toContainEqual({ from: 'config.film_grain', what: 'kept' });
  const built = builtWorkflow.parse(
    JSON.parse(JSON.stringify(buildWorkflow({ files: update!, found, add: { glow: { field: { title: 'Glow' } } } }))),
  );
  expect(built).toMatchObject({ issues: { architecture: [], workflow: [] }, fields: { glow: { title: 'Glow' } } });
  await saveWorkflow(COMMAND_LINE, 'portrait', built);
  const files = getWorkflow('portrait');
  expect(files.architecture).toMatchObject({
    price: { gems: 12 },
    fields: { film_grain: { title: 'Film grain' }, glow: { title: 'Glow', default: 0.5 } },
  });
  expect((await listAudit()).data[0]).toMatchObject({ act: 'workflow.change' });
});

test('the later of two conflicting workflow changes is refused', async () => {
  await connect();
  await imported();
  const [one, other] = [getWorkflow('portrait'), getWorkflow('portrait')];
  const named = (name: string, { architecture, ...read }: typeof one) => ({
    ...read,
    architecture: { ...architecture, name },
  });
  const { revision } = await saveWorkflow(COMMAND_LINE, 'portrait', named('One', one));
  const late = saveWorkflow(COMMAND_LINE, 'portrait', named('Other', other));
  await expect(late).rejects.toMatchObject({ code: 'precondition_failed' });
  expect(getWorkflow('portrait')).toMatchObject({ architecture: { name: 'One' }, revision });
  await saveWorkflow(COMMAND_LINE, 'portrait', { ...named('Another', one), revision });
  // a shipped workflow has no document of its own yet
  const shipped = getWorkflow('z_image');
  await saveWorkflow(COMMAND_LINE, 'z_image', named('Mine', shipped));
  const again = saveWorkflow(COMMAND_LINE, 'z_image', named('Theirs', shipped));
  await expect(again).rejects.toMatchObject({ code: 'precondition_failed' });
});

test.each([
  ['workflow', { workflow: { ignores: ['seed'] } }],
  ['architecture', { architecture: { name: 'Another' } }],
])('only one of two concurrent changes to the %s of a workflow succeeds', async (_, change) => {
  await connect();
  await imported();
  const read = getWorkflow('portrait');
  const changed = {
    ...read,
    architecture: { ...read.architecture, ...('architecture' in change && change.architecture) },
    workflow: { ...read.workflow, ...('workflow' in change && change.workflow) },
  };
  const saved = await Promise.allSettled([1, 2].map(() => saveWorkflow(COMMAND_LINE, 'portrait', changed)));
  expect(saved.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
});

test('an architecture accepts as many images as the one of its workflows that takes the most', async () => {
  await connect();
  const load = (image: string) => ({ class_type: 'LoadImage', inputs: { image } });
  const blend = { blend_factor: 0.5, blend_mode: 'normal' };
  const two = {
    '1': load('a.png'),
    '2': load('b.png'),
    '3': { class_type: 'ImageBlend', inputs: { image1: ['1', 0], image2: ['2', 0], ...blend } },
    '4': { class_type: 'SaveImage', inputs: { images: ['3', 0], filename_prefix: 'x' } },
  };
  const { found } = await read(two);
  const { architecture, workflow } = buildWorkflow({ found, choices: chosen({ id: 'blend' }), add: {} });
  await saveWorkflow(COMMAND_LINE, 'blend', { architecture, workflow });
  const { '2': _, ...rest } = two;
  const one = { ...rest, '3': { class_type: 'ImageBlend', inputs: { image1: ['1', 0], image2: ['1', 0], ...blend } } };
  const most = async () => (await read(one, { replaces: 'blend' })).update!.architecture.max_images;
  expect(await most()).toBe(1);
  await saveWorkflow(COMMAND_LINE, 'blend-too', { architecture, workflow });
  expect(await most()).toBe(2);
});

test('errors in workflow files are reported with their paths, and the files are not saved', async () => {
  await connect();
  const { found } = await read(PORTRAIT);
  const { architecture, workflow } = buildWorkflow({ found, choices: chosen(), add: {} });
  const bad = { architecture: { ...architecture, price: { gems: 0 } }, workflow };
  expect(buildWorkflow({ files: bad, add: {} })).toMatchObject({
    gems: null,
    issues: { architecture: [{ path: '/price/gems' }] },
  });
  await expect(saveWorkflow(COMMAND_LINE, 'portrait', bad)).rejects.toMatchObject({
    code: 'invalid_request',
    extra: { issues: [{ path: '/architecture/price/gems' }] },
  });
  await expect(
    saveWorkflow(COMMAND_LINE, 'portrait', { architecture, workflow: { ...workflow, bindings: [] } }),
  ).rejects.toMatchObject({
    code: 'invalid_request',
    extra: {
      issues: expect.arrayContaining([expect.objectContaining({ path: expect.stringMatching('^/workflow/') })]),
    },
  });
  await expect(saveWorkflow(COMMAND_LINE, '../x', { architecture, workflow })).rejects.toMatchObject({
    code: 'invalid_request',
  });
  expect(catalog().find('portrait')).toBeNull();
});

test('an imported architecture is added once to the serves list of the first engine that has such a list', async () => {
  await connect({ serves: [{ architecture: 'z_image' }] });
  await addEngine(COMMAND_LINE, { ...getEngine('box'), id: 'second' });
  for (let times = 0; times < 2; times++) {
    await imported();
    expect(getEngine('box').options).toEqual({ serves: [{ architecture: 'z_image' }, { architecture: 'portrait' }] });
    expect(getEngine('second').options).toEqual({ serves: [{ architecture: 'z_image' }] });
  }
  await pool().query(`delete from documents where path = 'engines.json'`);
  await refreshDocuments();
  const { revision: _, ...files } = getWorkflow('portrait');
  await saveWorkflow(COMMAND_LINE, 'portrait', files);
  expect(documents().has('engines.json')).toBe(false);
});

test('removing the last workflow of an architecture removes it too; a shipped workflow cannot be removed', async () => {
  await connect();
  await imported();
  const { revision: _, ...files } = getWorkflow('portrait');
  await saveWorkflow(COMMAND_LINE, 'portrait-too', files);
  await removeWorkflow(COMMAND_LINE, 'portrait');
  expect(servingOf('portrait', 'portrait')).toMatchObject({ engine: 'box' });
  expect(['portrait', 'anima', 'nothing'].map(id => findSaved(id, id))).toEqual(['own', 'shipped', null]);
  await removeWorkflow(COMMAND_LINE, 'portrait-too');
  expect(catalog().find('portrait')).toBeNull();
  expect((await listAudit()).data[0]).toMatchObject({ act: 'workflow.remove', subject: 'portrait-too' });
  await expect(removeWorkflow(COMMAND_LINE, 'anima')).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('Retire its architecture instead: Operator → Architectures, anima.'),
  });
  await expect(removeWorkflow(COMMAND_LINE, 'nothing')).rejects.toMatchObject({ code: 'not_found' });
  // a new version of a shipped workflow is saved as an import; removing it restores the shipped one
  const { architecture, workflow } = getWorkflow('anima');
  await saveWorkflow(COMMAND_LINE, 'anima', { architecture, workflow });
  expect(listWorkflows()[0]).toMatchObject({ id: 'anima', from: 'own' });
  // the unchanged architecture stays the shipped one
  expect([...documents().keys()].filter(path => path.includes('anima'))).toEqual(['catalog/workflows/anima.json']);
  await removeWorkflow(COMMAND_LINE, 'anima');
  expect(listWorkflows().find(({ id }) => id === 'anima')).toMatchObject({ from: 'shipped' });
});

test('a workflow whose architecture was deleted is not listed, and reading it reports that', async () => {
  await connect();
  await imported();
  await pool().query(`delete from documents where path like '%/architectures/portrait.json'`);
  await refreshDocuments();
  expect(listWorkflows().map(({ id }) => id)).not.toContain('portrait');
  expect(() => getWorkflow('portrait')).toThrow('The architecture of the workflow portrait is gone.');
});

test('an architecture that is imported again after it was retired and removed is live', async () => {
  await connect();
  await imported();
  await changeArchitecture(COMMAND_LINE, 'portrait', 'retired');
  expect(
    catalog()
      .list()
      .map(({ id }) => id),
  ).not.toContain('portrait');
  const { revision: _, ...files } = getWorkflow('portrait');
  // saving a new version of an existing workflow keeps the state that was set
  await saveWorkflow(COMMAND_LINE, 'portrait', files);
  expect(catalog().find('portrait')).toMatchObject({ state: 'retired' });
  await removeWorkflow(COMMAND_LINE, 'portrait');
  await saveWorkflow(COMMAND_LINE, 'portrait', files);
  expect(catalog().find('portrait')).toMatchObject({ state: 'live' });
});

test('a ComfyUI whose secret is not available is skipped, and is reported if there is no other', async () => {
  const secret = { env: 'NO_SUCH_VARIABLE' };
  await addEngine(COMMAND_LINE, {
    id: 'locked',
    type: 'comfyui',
    paused: false,
    servers: [{ id: 'a', url: box.url, secret, places: null }],
    options: {},
  });
  await expect(read(PORTRAIT)).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('locked: the environment variable NO_SUCH_VARIABLE is not set'),
  });
  await connect();
  expect(await read(PORTRAIT)).toMatchObject({ engine_id: 'box' });
});

test('reading a workflow fails with a reason when no ComfyUI is connected or reachable', async () => {
  await addEngine(COMMAND_LINE, {
    id: 'studio',
    type: 'openai',
    paused: false,
    servers: [{ id: 'a', url: box.url, secret: null, places: null }],
    options: { serves: [{ architecture: 'z_image', call: 'images', model: 'x' }] },
  });
  await expect(read(PORTRAIT)).rejects.toMatchObject({ message: expect.stringContaining('Connect a ComfyUI first') });
  await addEngine(COMMAND_LINE, {
    id: 'gone',
    type: 'comfyui',
    paused: false,
    servers: [{ id: 'a', url: 'http://127.0.0.1:9', secret: null, places: null }],
    options: {},
  });
  await expect(read(PORTRAIT)).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('gone'),
  });
  await connect();
  expect(await read(PORTRAIT)).toMatchObject({ engine_id: 'box' });
  await expect(read(PORTRAIT, { engine_id: 'gone' })).rejects.toMatchObject({ code: 'invalid_request' });
});
