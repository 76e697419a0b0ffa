import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { inArray } from 'drizzle-orm';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { createAccount } from '#lib/accounts/accounts';
import { createApiKey } from '#lib/accounts/api-keys';
import { createCharacter, deleteCharacter } from '#lib/cast/characters';
import { createReference } from '#lib/cast/references';
import { newCharacter, newReference } from '#lib/contract/cast-schemas';
import { db, pool } from '#lib/db/client';
import { media } from '#lib/db/schema';
import { useOwnDatabase } from '#lib/db/test-database';
import { noteInabilities } from '#lib/engines/abilities';
import { env } from '#lib/env';
import { AppError, type Issue } from '#lib/errors';
import { admitGeneration } from '#lib/generations/admit';
import { estimateGeneration } from '#lib/generations/estimate';
import { prepareGeneration } from '#lib/generations/prepare';
import { newId } from '#lib/ids';
import { dataUrl, makeAv, makeImage, makeWav } from '#lib/media/media-test-files';
import { storage } from '#lib/storage/store';

await useOwnDatabase();
process.env.DATA_DIR = await mkdtemp(join(tmpdir(), 'pomona-prepare-'));
process.env.LOG_LEVEL = 'silent';

const picture = async (width: number) => dataUrl(await makeImage(width, 64).png().toBuffer());
const red = await picture(64);
const blue = await picture(80);
const sound = dataUrl(makeWav(2));
const clip = dataUrl(await makeAv('mp4'));

const { id: accountId } = await createAccount({ email: 'ana@example.com' });
const creator = { accountId, mayCreateCast: true };
const prepare = (architecture: string, body: Record<string, unknown>) =>
  prepareGeneration(accountId, architecture, body, { admit: async () => undefined });
const caller = {
  ...creator,
  keyId: null,
  scopes: null,
  mayGenerate: true,
  inFlightLimit: 20,
  balance: 1000,
  keyInFlightLimit: null,
  monthlyBudget: null,
  autoTopUp: false,
};

async function refusalOf(architecture: string, body: Record<string, unknown>): Promise<AppError & { issues: Issue[] }> {
  const error: unknown = await prepare(architecture, body).catch(thrown => thrown);
  if (!(error instanceof AppError)) throw new Error('not refused', { cause: error });
  return Object.assign(error, { issues: error.extra.issues ?? [] });
}

let ana: Awaited<ReturnType<typeof createCharacter>>['row'];
let mute: Awaited<ReturnType<typeof createCharacter>>['row'];
let harbour: Awaited<ReturnType<typeof createReference>>['row'];
let tune: Awaited<ReturnType<typeof createReference>>['row'];

beforeAll(async () => {
  const character = async (handle: string, voice?: string) =>
    (await createCharacter(creator, newCharacter.parse({ name: handle, handle, image: red, voice }))).row;
  const reference = async (handle: string, rest: object) =>
    (await createReference(creator, newReference.parse({ name: handle, handle, ...rest }))).row;
  ana = await character('ana', sound);
  mute = await character('mute');
  harbour = await reference('harbour', { kind: 'location', image: blue });
  tune = await reference('tune', { kind: 'audio', audio: sound });
});

test('mentions add their media after the inputs of the request, and are stored with the ids that they stood for', async () => {
  const { inputs, mentions, config, body } = await prepare('mango', {
    prompt: '@Ana walks through @harbour, @ana again, like @image2',
    image: red,
    additional_images: [blue],
    unknown: 'x',
  });
  expect(inputs).toEqual([
    { role: 'reference', mediaId: expect.any(String) },
    { role: 'reference', mediaId: expect.any(String) },
    { role: 'reference', mediaId: ana.imageId, handle: 'ana' },
    { role: 'reference', mediaId: harbour.mediaId, handle: 'harbour' },
  ]);
  expect(mentions).toEqual([
    { handle: 'ana', id: ana.id, kind: 'character', mediaIds: [ana.imageId] },
    { handle: 'harbour', id: harbour.id, kind: 'location', mediaIds: [harbour.mediaId] },
  ]);
  const own = inputs.slice(0, 2).flatMap(({ mediaId }) => mediaId ?? []);
  const rows = await db().select().from(media).where(inArray(media.id, own));
  const urls = own.map(id => storage().url(rows.find(row => row.id === id)!.key));
  expect(rows.map(({ kind }) => kind)).toEqual(['input', 'input']);
  expect(config).toMatchObject({ image: urls[0], additional_images: [urls[1]] });
  expect(body).toEqual({ prompt: expect.any(String), image: urls[0], additional_images: [urls[1]] });
});

test('frames and source videos keep their roles, and the length of a source video affects price and acceptance', async () => {
  const frames = await prepare('melon', { prompt: 'x', first_image: red, last_image: blue });
  expect(frames.inputs.map(({ role }) => role)).toEqual(['first_frame', 'last_frame']);
  const reworked = await prepare('lemon', { prompt: 'x', videos: [clip] });
  const plain = await prepare('lemon', { prompt: 'x' });
  expect(reworked.inputs).toMatchObject([{ role: 'source_video' }]);
  // one second of source video on top of three seconds of output
  expect(reworked.gems / plain.gems).toBeCloseTo(4 / 3, 1);
  const short = await refusalOf('cherry', { prompt: 'x', videos: [clip] });
  expect(short.issues).toMatchObject([
    { path: '/videos/0', message: expect.stringMatching(/this one is 1\.\d+ s\.$/) },
  ]);
});

test('character voices become inputs where the model takes them, unless they are switched off', async () => {
  const roles = async (architecture: string, body: Record<string, unknown>) =>
    (await prepare(architecture, body)).inputs.map(({ role, mediaId }) => [role, mediaId]);
  const prompt = '@ana and @mute hum @tune';
  const all = [
    ['reference', ana.imageId],
    ['voice', ana.voiceId],
    ['reference', mute.imageId],
    ['audio_reference', tune.mediaId],
  ];
  expect(await roles('cherry', { prompt })).toEqual(all);
  const silent = all.filter(([role]) => role !== 'voice');
  expect(await roles('cherry', { prompt, use_character_voices: false })).toEqual(silent);
  expect(await roles('mango', { prompt: '@ana' })).toEqual([['reference', ana.imageId]]);
  // audio inputs only: the model takes no images
  expect(await roles('seed_audio', { prompt: '@ana hums @tune' })).toEqual([
    ['voice', ana.voiceId],
    ['audio_reference', tune.mediaId],
  ]);
});

test.each([
  ['anima', '@ana', '@ana is a character, which anima-v1 does not take.'],
  ['anima', '@nobody', '@nobody mentions nothing: anima-v1 takes no mentions; leave it out'],
  ['anima', '@image1', '@image1 means a reference image, and anima-v1 takes none.'],
  ['kiwi', '@image1', '@image1 means a reference image, and kiwi takes none; frames do not count.'],
  ['mango', '@tune', '@tune is an audio reference, which mango-v3 does not take'],
  ['seed_audio', '@harbour', '@harbour is a reference, which seed-audio-1.0 does not take'],
  ['seed_audio', '@mute', '@mute is a character without a voice'],
  ['mango', '@nobody', '@nobody is neither'],
  ['mango', '@nobody-', '@nobody is neither'],
  ['mango', '@anabel', '@anabel is neither'],
  [
    'mango',
    '@image0',
    '@image0 means reference image 0 of this request, which has 0, counted from @image1 on in image and additional_images.',
  ],
  ['melon', '@image1', 'counted from @image1 on in image and additional_images; frames do not count.'],
  ['blueberry', '@ana', '@ana is a character'],
])('%s refuses the prompt %s', async (architecture, prompt, message) => {
  const { code, issues } = await refusalOf(architecture, { prompt });
  expect(code).toBe('invalid_config');
  expect(issues).toEqual([{ path: '/prompt', message: expect.stringContaining(message) }]);
});

test('a mention covers the whole handle, without the punctuation after it', async () => {
  const { mentions } = await prepare('mango', { prompt: '@ana- and @ANA_ in @harbour, @ana-' });
  expect(mentions.map(({ handle }) => handle)).toEqual(['ana', 'harbour']);
  // no character has this handle yet
  const { issues } = await refusalOf('mango', { prompt: '@ana-style' });
  expect(issues).toEqual([{ path: '/prompt', message: expect.stringContaining('@ana-style is neither') }]);
  const { row } = await createCharacter(
    creator,
    newCharacter.parse({ name: 'Ana in style', handle: 'ana-style', image: red }),
  );
  expect((await prepare('mango', { prompt: '@ana-style' })).mentions).toMatchObject([{ id: row.id }]);
});

test('an escaped mention and an email address are plain text', async () => {
  expect(await prepare('anima', { prompt: 'write \\@ana to ana@example.com, café@ana' })).toMatchObject({
    inputs: [],
    mentions: [],
  });
});

test('the image limit counts images of fields and mentions together, and the refusal names the handles', async () => {
  const additional_images = Array.from({ length: 8 }, () => blue);
  const fits = { prompt: '@ana', image: red, additional_images };
  expect((await prepare('mango', fits)).inputs).toHaveLength(10);
  const { issues } = await refusalOf('mango', { ...fits, prompt: '@ana at @harbour' });
  expect(issues).toEqual([
    { path: '/additional_images', message: expect.stringMatching(/at most 10 .* has 11, with @ana, @harbour\.$/) },
  ]);
});

test('additional images of mentioned characters fill the remaining room in turns', async () => {
  const save = async (handle: string, more: string[]) =>
    createCharacter(
      creator,
      newCharacter.parse({ name: handle, handle, image: red, additional_images: more, voice: sound }),
    );
  const [cy, di] = [await save('cy', [blue, red]), await save('di', [blue, red, blue])];
  const idsOf = ({ pictures }: typeof cy, ...places: number[]) => places.map(place => pictures[place]!.mediaId);
  const given = async (architecture: string, body: Record<string, unknown>) => {
    const { inputs, mentions } = await prepare(architecture, { prompt: '@cy and @di', ...body });
    const pictures = inputs.filter(({ handle, role }) => handle && role === 'reference');
    expect(mentions.flatMap(({ mediaIds }) => mediaIds)).toEqual(
      inputs.flatMap(({ handle, mediaId }) => (handle ? mediaId! : [])),
    );
    expect(pictures.filter(({ spare }) => !spare)).toHaveLength(2);
    return pictures.map(({ mediaId }) => mediaId);
  };
  expect(await given('mango', {})).toEqual([...idsOf(cy, 0, 1, 2), ...idsOf(di, 0, 1, 2, 3)]);
  const additional_images = Array.from({ length: 4 }, () => blue);
  // ten in total: five of the request, two portraits and three further images
  expect(await given('mango', { image: red, additional_images })).toEqual([...idsOf(cy, 0, 1, 2), ...idsOf(di, 0, 1)]);
  const full = { image: red, additional_images: Array.from({ length: 7 }, () => blue) };
  expect(await given('mango', full)).toEqual([...idsOf(cy, 0), ...idsOf(di, 0)]);
  expect((await prepare('seed_audio', { prompt: '@cy' })).inputs).toMatchObject([{ role: 'voice' }]);
});

test('a refusal lists all problems with fields, mentions and media, and stores no media', async () => {
  const before = await db().$count(media);
  const { issues, message } = await refusalOf('mango', { prompt: '@nobody @image3', aspect_ratio: '7:1', image: red });
  expect(issues.map(({ path }) => path)).toEqual(['/aspect_ratio', '/prompt', '/prompt']);
  expect(message).toMatch(/^aspect_ratio must be .*\. @nobody .*\. @image3 .*[^.]\.$/);
  expect(await db().$count(media)).toBe(before);

  const both = await refusalOf('mango', { prompt: '', image: 'http://example.com/a.png' });
  expect(both.issues.map(({ path }) => path)).toEqual(['/prompt', '/image']);

  const files = await refusalOf('mango', {
    prompt: 'x',
    image: 'https://127.0.0.1/x.png',
    additional_images: [red, 'data:image/png;base64,AAAA', sound],
  });
  expect(files.issues.map(({ path }) => path)).toEqual(['/image', '/additional_images/1', '/additional_images/2']);
});

test('a blocked prompt is refused before its media are stored or its source video is fetched', async () => {
  const before = await db().$count(media);
  const blocked = prepare('mango', { prompt: 'child pornography', image: await picture(99) });
  await expect(blocked).rejects.toMatchObject({ code: 'content_blocked' });
  expect(await db().$count(media)).toBe(before);
  // and after problems with fields, which leave no record
  const wrong = prepare('mango', { prompt: 'child pornography', resolution: 'none' });
  await expect(wrong).rejects.toMatchObject({ code: 'invalid_config' });
  // fetching this video would refuse the body for its address instead
  const remote = prepare('lemon', { prompt: 'child pornography', videos: ['https://127.0.0.1/film.mp4'] });
  await expect(remote).rejects.toMatchObject({ code: 'content_blocked' });
});

test('a mention of a deleted handle is refused until the handle is created again', async () => {
  const input = newCharacter.parse({ name: 'Brief', handle: 'brief', image: red });
  const { row } = await createCharacter(creator, input);
  const before = await prepare('mango', { prompt: '@brief' });
  await deleteCharacter(accountId, row.id);
  expect((await refusalOf('mango', { prompt: '@brief' })).issues).toMatchObject([{ path: '/prompt' }]);
  const again = await createCharacter(creator, { ...input, image: blue });
  const after = await prepare('mango', { prompt: '@brief' });
  expect([before.mentions[0]?.id, after.mentions[0]?.id]).toEqual([row.id, again.row.id]);
});

test('an estimate gives the price together with each problem that a submit would refuse, once', async () => {
  const estimate = await estimateGeneration(caller, 'mango', { prompt: '@ana and @nobody', resolution: '9K' });
  expect(estimate).toMatchObject({
    gems: 135,
    enough: true,
    mentions: [{ handle: 'ana', id: ana.id, kind: 'character' }],
    issues: [{ path: '/resolution' }, { path: '/prompt' }],
  });
  const short = await estimateGeneration(caller, 'cherry', { prompt: 'x', videos: [clip] });
  expect(short.issues).toMatchObject([{ path: '/videos/0' }]);
  const videos = ['https://example.com/a.mp4'];
  const crowded = { prompt: '@ana at @harbour', image: red, videos };
  expect((await estimateGeneration(caller, 'plum', crowded)).issues).toEqual([
    {
      path: '/additional_images',
      message: expect.stringMatching(/^With a source video .* has 3, with @ana, @harbour\.$/),
    },
  ]);
  expect((await refusalOf('plum', crowded)).issues).toHaveLength(1);
  for (const image of ['http://example.com/a.png', 'data:image/png;base64,%', storage().url('input/gone.png')])
    expect((await estimateGeneration(caller, 'mango', { prompt: 'x', image })).issues).toEqual([
      { path: '/image', message: expect.stringMatching(/^image cannot be used\. /) },
    ]);
  await expect(estimateGeneration(caller, newId(), {})).rejects.toMatchObject({ code: 'architecture_not_found' });
});

test('an estimate includes the source video in the price even if the body has other problems', async () => {
  const whole = await estimateGeneration(caller, 'lemon', { prompt: 'x', videos: [clip] });
  const estimate = await estimateGeneration(caller, 'lemon', { prompt: '', videos: [clip] });
  expect(estimate).toMatchObject({ gems: whole.gems, issues: [{ path: '/prompt' }] });
  expect(estimate).not.toHaveProperty('requires_media_measurement');
  const body = { prompt: 'x', seed: -1, videos: [clip] };
  const both = [{ path: '/seed' }, { path: '/videos/0' }];
  expect((await estimateGeneration(caller, 'cherry', body)).issues).toMatchObject(both);
  expect((await refusalOf('cherry', body)).issues).toMatchObject(both);
});

test('an unusable source video is reported together with other unusable media, each once', async () => {
  const body = { prompt: 'x', model_id: 'berry', video: storage().url('upload/gone.mp4') };
  const both = await refusalOf('berry', { ...body, image: 'http://example.com/a.png' });
  expect(both.issues.map(({ path }) => path).toSorted()).toEqual(['/image', '/video']);
  expect((await refusalOf('berry', { ...body, image: red })).issues).toMatchObject([{ path: '/video' }]);
});

test('a wrong field is reported once, without the problems that follow from it', async () => {
  expect((await refusalOf('berry', { prompt: 'x', model_id: 'bery', video: clip })).issues).toMatchObject([
    { path: '/model_id', message: expect.stringContaining('it is "bery"') },
  ]);
  const prompt = '@image1 in winter';
  expect((await refusalOf('mango', { prompt, image: 'ftp://x/a.png' })).issues).toMatchObject([{ path: '/image' }]);
  const additional_images = ['ftp://x/a.png', red];
  expect((await refusalOf('mango', { prompt, additional_images })).issues).toMatchObject([
    { path: '/additional_images/0' },
  ]);
});

test('a source video that is refused for another reason is not checked for its length', async () => {
  const issuesOf = async (architecture: string, body: object) =>
    (await estimateGeneration(caller, architecture, { prompt: 'x', ...body })).issues;
  expect(await issuesOf('berry', { video: clip })).toMatchObject([{ path: '/model_id' }]);
  expect(await issuesOf('berry', { model_id: 'berry', video: red })).toMatchObject([{ path: '/video' }]);
});

test('an estimate refuses a prompt that the content policy forbids', async () => {
  await expect(estimateGeneration(caller, 'mango', { prompt: 'child pornography' })).rejects.toMatchObject({
    code: 'content_blocked',
  });
});

test('a prompt that the moderation endpoint flags is refused before its media are stored, and by an estimate', async () => {
  const server = createServer(async (incoming, outgoing) => {
    const { input } = (await json(incoming)) as { input: string };
    outgoing.end(JSON.stringify({ results: [{ flagged: input === 'bad' }] }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  Object.assign(env(), { MODERATION_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  onTestFinished(() => {
    Object.assign(env(), { MODERATION_URL: undefined });
    server.close();
  });
  const before = await db().$count(media);
  const body = { prompt: 'bad', image: await picture(98) };
  await expect(prepare('mango', body)).rejects.toMatchObject({ code: 'content_blocked' });
  await expect(estimateGeneration(caller, 'mango', body)).rejects.toMatchObject({ code: 'content_blocked' });
  expect(await db().$count(media)).toBe(before);
  // a caller whom a limit refuses costs no call to the endpoint
  const admit = (gems: number, isDear: boolean) => admitGeneration({ ...caller, inFlightLimit: 0 }, { gems }, isDear);
  await pool().query('update accounts set in_flight_limit = 0 where id = $1', [accountId]);
  await expect(prepareGeneration(accountId, 'mango', { prompt: 'bad' }, { admit })).rejects.toMatchObject({
    code: 'too_many_requests',
  });
  await pool().query('update accounts set in_flight_limit = 20 where id = $1', [accountId]);
  await prepare('mango', { ...body, prompt: 'good' });
  expect(await db().$count(media)).toBe(before + 1);
});

test('the remaining budget of a key decides whether an estimate says enough, and is reported', async () => {
  const { id: keyId } = await createApiKey(accountId, { name: 'small', monthlyBudget: 134 });
  const body = { prompt: 'x' };
  const estimate = (monthlyBudget: number | null) =>
    estimateGeneration({ ...caller, keyId, monthlyBudget }, 'mango', body);
  expect(await estimate(134)).toMatchObject({ enough: false, budget_left: 134 });
  expect(await estimate(135)).toMatchObject({ enough: true, budget_left: 135 });
  expect(await estimate(-1)).toMatchObject({ enough: false, budget_left: 0 });
  const unlimited = await estimate(null);
  expect(unlimited.enough).toBe(true);
  expect(unlimited).not.toHaveProperty('budget_left');
});

test('the resolved config takes duration and aspect ratio from a source video that the output follows', async () => {
  const video = dataUrl(await makeAv('mp4', { sounds: 0, width: 48, height: 96, seconds: 4 }));
  const body = { prompt: 'x', model_id: 'berry', video };
  const followed = { duration: '4', aspect_ratio: '1:2' };
  expect((await estimateGeneration(caller, 'berry', body)).config).toMatchObject(followed);
  const { config, output, gems } = await prepare('berry', body);
  expect(config).toMatchObject(followed);
  expect(output).toMatchObject({ width: 720, height: 1440, duration: 4 });
  expect(gems).toBe((await estimateGeneration(caller, 'berry', body)).gems);
  expect((await estimateGeneration(caller, 'berry', { prompt: 'x' })).config).toMatchObject({ duration: '3' });
});

test('a sent duration and aspect ratio that a source video replaces are named in warnings', async () => {
  const video = dataUrl(await makeAv('mp4', { sounds: 0, width: 48, height: 96, seconds: 4 }));
  const body = { prompt: 'x', model_id: 'berry', video };
  const warningsOf = async (more: object) => {
    const { warnings } = await prepare('berry', { ...body, ...more });
    expect((await estimateGeneration(caller, 'berry', { ...body, ...more })).warnings ?? []).toEqual(warnings);
    return warnings;
  };
  expect(await warningsOf({ duration: '15', aspect_ratio: '1:1' })).toEqual([
    { path: '/duration', message: 'duration is 4 here: the output follows its source video.' },
    { path: '/aspect_ratio', message: 'aspect_ratio is 1:2 here: the output follows its source video.' },
  ]);
  expect(await warningsOf({ duration: '4' })).toEqual([]);
});

test('an estimate needs the length of an unreadable source video, unless previews have their own price', async () => {
  const body = { prompt: 'x', videos: ['https://127.0.0.1/film.mp4'] };
  const estimate = () => estimateGeneration(caller, 'lemon', body);
  expect(await estimate()).toMatchObject({ requires_media_measurement: true });
  Object.assign(env(), { PREVIEW_PRICE: 2 });
  // rebuilds the catalog
  noteInabilities(new Map());
  expect(await estimate()).toMatchObject({ gems: 2 });
  expect(await estimate()).not.toHaveProperty('requires_media_measurement');
  Object.assign(env(), { PREVIEW_PRICE: undefined });
  noteInabilities(undefined);
});

test('a prompt with more than 100 handles is refused before any of them is looked up', async () => {
  const prompt = Array.from({ length: 101 }, (_, at) => `@nobody${at}`).join(' ');
  expect((await refusalOf('mango', { prompt })).issues).toEqual([
    { path: '/prompt', message: 'A prompt may mention at most 100 handles; this one mentions 101.' },
  ]);
});

test('a prompt with more than 1000 mentions is refused, and one with 1000 is read', async () => {
  expect((await refusalOf('mango', { prompt: '@ana '.repeat(1_001) })).issues).toEqual([
    { path: '/prompt', message: 'A prompt may have at most 1000 mentions; this one has more.' },
  ]);
  expect((await refusalOf('mango', { prompt: '@nobody '.repeat(1_000) })).issues).toMatchObject([
    { message: expect.stringContaining('@nobody is neither') },
  ]);
});
