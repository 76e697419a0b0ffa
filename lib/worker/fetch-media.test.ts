import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { Caller } from '#lib/accounts/callers';
import { readBalance } from '#lib/accounts/ledger';
import { accountWith } from '#lib/accounts/test-callers';
import { pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { env } from '#lib/env';
import { cancelGeneration } from '#lib/generations/cancel';
import { getGeneration } from '#lib/generations/read';
import { submitGeneration } from '#lib/generations/submit';
import { newId } from '#lib/ids';
import { MAX_INTERRUPTIONS, retryLater, type Claim } from '#lib/life/claim';
import { makeInterlacedPng } from '#lib/media/hostile-test-media';
import { withDecodersKilled } from '#lib/media/test-decoders';
import { makeAv, makeImage } from '#lib/media/media-test-files';
import { makeCertificate } from '#lib/media/test-certificate';
import { faultOf } from '#lib/storage/bucket-answer';
import { log } from '#lib/log';
import { StoreAway } from '#lib/storage/refusals';
import { storage } from '#lib/storage/store';
import { refusePuts } from '#lib/storage/test-outage';
import { cutConnections, firstCut } from '#lib/worker/cut-test-connections';
import { claimFetches, fetchMedia } from '#lib/worker/fetch-media';
import { startFetcher } from '#lib/worker/fetcher';
import { Runs } from '#lib/worker/runs';

await useOwnDatabase();
process.env.DATA_DIR = await mkdtemp(join(tmpdir(), 'pomona-fetches-'));
process.env.LOG_LEVEL = 'silent';

const GEMS = 2_000;
const FOREVER = new AbortController().signal;
const PICTURE = makeInterlacedPng(3_000);
const certificate = makeCertificate(['localhost']);
const PLAIN: RequestListener = (_asked, answer) => answer.end(PICTURE);
let respond = PLAIN;
const host = createServer(certificate, (asked, answer) => respond(asked, answer));
let caller: Caller;
let address: string;

beforeAll(async () => {
  setDefaultCACertificates([...getCACertificates(), certificate.cert]);
  Object.assign(env(), { ALLOWED_PRIVATE_HOSTS: ['localhost'] });
  await once(host.listen(0), 'listening');
  address = `https://localhost:${(host.address() as AddressInfo).port}/pear.png`;
  caller = await accountWith(GEMS);
});

afterAll(() => {
  host.closeAllConnections();
  host.close();
});

const claim = async (id: string) => (await claimFetches(newId(), 10)).find(claimed => claimed.id === id);

/** Ends the pause after a failed try. */
const endPause = (id: string) =>
  pool().query('update requests set not_before = now() where id = $1 and not_before is not null', [id]);

async function fetchOnce(id: string): Promise<void> {
  await endPause(id);
  const claimed = await claim(id);
  if (!claimed) throw new Error('not claimed');
  await fetchMedia(claimed, FOREVER, FOREVER);
}

const submit = async (who = caller) => {
  const body = () => Promise.resolve({ prompt: 'dusk', image: address });
  return (await submitGeneration({ caller: who, architectureId: 'guava', body })).generation.id;
};
const read = (id: string) => getGeneration(caller.accountId, id);

test('a store outage uses up neither attempts nor interruptions, and the media are fetched later', async () => {
  const id = await submit();
  const put = refusePuts(faultOf(503, 'the store is busy'));
  onTestFinished(() => put.mockRestore());
  for (let n = 0; n <= MAX_INTERRUPTIONS; n++) await fetchOnce(id);
  expect(await read(id)).toMatchObject({
    status: 'queued',
    fetched: false,
    attempts: 0,
    interruptions: 0,
    worker: null,
    notBefore: expect.any(Date),
  });
  expect(put).toHaveBeenCalledTimes(MAX_INTERRUPTIONS + 1);
  put.mockRestore();
  await fetchOnce(id);
  expect(await read(id)).toMatchObject({ status: 'queued', fetched: true, attempts: 0, interruptions: 0 });
});

test('a full disk of the store uses up no attempts, and is not reported as a full disk of this machine', async () => {
  const other = await makeImage(42, 30).png().toBuffer();
  respond = (_asked, answer) => answer.end(other);
  onTestFinished(() => void (respond = PLAIN));
  const id = await submit();
  const full = new StoreAway('ENOSPC', { cause: Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' }) });
  const told = vi.spyOn(log(), 'error');
  onTestFinished(() => told.mockRestore());
  const put = refusePuts(full);
  onTestFinished(() => put.mockRestore());
  await fetchOnce(id);
  expect(await read(id)).toMatchObject({ status: 'queued', fetched: false, attempts: 0, interruptions: 0 });
  expect(told).not.toHaveBeenCalled();
  put.mockRestore();
  await fetchOnce(id);
  expect(await read(id)).toMatchObject({ status: 'queued', fetched: true });
});

test('a failed fetch waits for its pause to end, without delaying other requests of the account', async () => {
  const id = await submit();
  await retryLater((await claim(id)) as Claim);
  await pool().query(`update requests set not_before = not_before + interval '1 hour' where id = $1`, [id]);
  expect(await claim(id)).toBeUndefined();
  await fetchOnce(await submit());
  await fetchOnce(id);
  expect(await read(id)).toMatchObject({ fetched: true });
});

test('at most four requests of one account are fetched at the same time', async () => {
  const ids = [];
  for (let n = 0; n < 6; n++) ids.push(await submit());
  const claimed = (await claimFetches(newId(), 10)).map(({ id }) => id);
  expect(claimed).toEqual(ids.slice(0, 4));
  // even with an earlier turn, the others wait for those in progress
  await pool().query(`update requests set turn_at = turn_at + interval '1 hour' where id = any($1)`, [claimed]);
  expect(await claimFetches(newId(), 10)).toEqual([]);
  for (const id of ids) await cancelGeneration(caller.accountId, id);
});

test('requests are fetched in order of arrival, across accounts', async () => {
  const other = await accountWith(GEMS);
  const sooner = await submit(other);
  const later = await submit();
  expect((await claimFetches(newId(), 1)).map(({ id }) => id)).toEqual([sooner]);
  await cancelGeneration(other.accountId, sooner);
  await cancelGeneration(caller.accountId, later);
});

async function inputs(): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>(`select id from media where kind = 'input' order by id`);
  return rows.map(({ id }) => id);
}

test('a stopping worker leaves unfetched media to another worker', async () => {
  onTestFinished(() => void (respond = PLAIN));
  const asked = Promise.withResolvers<void>();
  respond = () => asked.resolve();
  const id = await submit();
  const runs = new Runs();
  const fetcher = startFetcher({ worker: newId(), runs });
  await asked.promise;
  await fetcher.stop();
  runs.close();
  expect(await read(id)).toMatchObject({ status: 'queued', fetched: false, worker: null, interruptions: 0 });
  await cancelGeneration(caller.accountId, id);
});

test('a fetched file is not kept when its request is cancelled before the hand-over', async () => {
  const before = await inputs();
  const small = await makeImage(41, 30).png().toBuffer();
  onTestFinished(() => void (respond = PLAIN));
  respond = (_asked, answer) => answer.end(small);
  const id = await submit();
  const put = vi.spyOn(storage(), 'put').mockImplementationOnce(async (...file) => {
    await cancelGeneration(caller.accountId, id);
    return storage().put(...file);
  });
  onTestFinished(() => put.mockRestore());
  await fetchOnce(id);
  expect(await read(id)).toMatchObject({ status: 'cancelled' });
  expect(await inputs()).toEqual(before);
});

/** Begins to fetch a unique image; it is fetched, but the connection to the database breaks when it is written. */
async function fetchThroughOutage(width: number, stop = FOREVER) {
  const picture = await makeImage(width, 30).png().toBuffer();
  onTestFinished(() => void (respond = PLAIN));
  respond = (_asked, answer) => answer.end(picture);
  const id = await submit();
  await cutConnections(Number.MAX_SAFE_INTEGER, 'new.fetched and new.worker is null');
  const fetching = fetchMedia((await claim(id)) as Claim, stop, FOREVER);
  await firstCut();
  return { id, fetching };
}

test('a fetched file is removed when its request is cancelled during a database outage', async () => {
  const before = await inputs();
  const stop = new AbortController();
  const { id, fetching } = await fetchThroughOutage(42, stop.signal);
  await cancelGeneration(caller.accountId, id);
  stop.abort();
  await fetching;
  expect(await inputs()).toEqual(before);
});

test('a fetched file is kept when the response to its hand-over is lost and another worker has the request', async () => {
  const { id, fetching } = await fetchThroughOutage(43);
  const files = await inputs();
  await pool().query(
    `update requests set fetched = true, claim = claim + 1, inputs = jsonb_set(inputs, '{0}', jsonb_build_object('role', 'reference', 'mediaId', m.id::text))
    from (select id from media where kind = 'input' and width = 43) m where requests.id = $1`,
    [id],
  );
  await fetching;
  expect(await inputs()).toEqual(files);
});

test('a host that hangs up fails and refunds the request, and does not count as an outage', async () => {
  onTestFinished(() => void (respond = PLAIN));
  respond = asked => void asked.socket.destroy();
  const id = await submit();
  await fetchOnce(id);
  expect(await read(id)).toMatchObject({ status: 'failed', refunded: true });
});

test('a refused file aborts the other downloads of its request, and none of them is kept', async () => {
  const before = await inputs();
  const small = await makeImage(40, 30).png().toBuffer();
  const left = Promise.withResolvers<void>();
  onTestFinished(() => void (respond = PLAIN));
  respond = async (asked, answer) => {
    if (asked.url === '/small.png') return void answer.end(small);
    if (asked.url === '/slow.png') {
      answer.once('close', left.resolve);
      return void answer.write(PICTURE.subarray(0, 100));
    }
    await vi.waitUntil(async () => (await inputs()).length > before.length, { timeout: 30_000 });
    answer.writeHead(404).end();
  };
  const [image, ...additional_images] = ['small', 'slow', 'gone'].map(name => new URL(`/${name}.png`, address).href);
  const body = () => Promise.resolve({ prompt: 'dusk', image, additional_images });
  const { id } = (await submitGeneration({ caller, architectureId: 'mango', body })).generation;
  await fetchOnce(id);
  expect(await read(id)).toMatchObject({ status: 'failed' });
  await left.promise;
  expect(await inputs()).toEqual(before);
});

test('each fetched file takes the place of its own URL in the inputs and fields', async () => {
  const widths = [51, 52, 53];
  const pictures = await Promise.all(widths.map(width => makeImage(width, 30).png().toBuffer()));
  onTestFinished(() => void (respond = PLAIN));
  respond = (asked, answer) => answer.end(pictures[Number(asked.url?.slice(1))]);
  const [image, ...additional_images] = [0, 1, 2].map(n => new URL(`/${n}`, address).href);
  const asked = () => Promise.resolve({ prompt: 'dusk', image, additional_images });
  const { id } = (await submitGeneration({ caller, architectureId: 'mango', body: asked })).generation;
  await fetchOnce(id);
  const { body, config, inputs } = await read(id);
  const { rows } = await pool().query<{ id: string; key: string; width: number }>(
    'select id, key, width from media where id = any($1) order by width',
    [inputs.map(({ mediaId }) => mediaId)],
  );
  expect(rows).toMatchObject(inputs.map(({ mediaId }, at) => ({ id: mediaId, width: widths[at] })));
  const [first, ...others] = rows.map(({ key }) => storage().url(key));
  for (const fields of [body, config]) expect(fields).toMatchObject({ image: first, additional_images: others });
});

/** Responds with the current video, or a byte range of it. */
function giveFilm(current: () => Buffer): void {
  onTestFinished(() => void (respond = PLAIN));
  respond = (asked, answer) => {
    const film = current();
    const [, start = '0', end = film.length] = /^bytes=(\d+)-(\d*)$/.exec(asked.headers.range ?? '') ?? [];
    const piece = film.subarray(Number(start), Number(end) + 1);
    const range = `bytes ${start}-${Number(start) + piece.length - 1}/${film.length}`;
    answer.writeHead(asked.headers.range ? 206 : 200, { 'content-range': range }).end(piece);
  };
}

async function filmsKept(): Promise<unknown[]> {
  const { rows } = await pool().query(`select id from media where kind = 'input' and content_type = 'video/mp4'`);
  return rows;
}

test('a video that became longer after pricing fails and refunds the request, and is not kept', async () => {
  let film = await makeAv('mp4', { seconds: 3 });
  giveFilm(() => film);
  const body = () =>
    Promise.resolve({ prompt: 'slower', model_id: 'berry', video: new URL('/film.mp4', address).href });
  const { id, gems } = (await submitGeneration({ caller, architectureId: 'berry', body })).generation;
  const charged = await readBalance(caller.accountId);
  film = await makeAv('mp4', { seconds: 6 });
  await fetchOnce(id);
  expect(await read(id)).toMatchObject({
    status: 'failed',
    errorMessage: expect.stringMatching(/^video is longer than it was when the price was made: 6\S* s, not 3\S* s\./),
  });
  expect(await readBalance(caller.accountId)).toBe(charged + gems);
  expect(await filmsKept()).toEqual([]);
});

test('a video that turns out too short for the model fails and refunds the request, and is not kept', async () => {
  const film = await makeAv('mp4', { seconds: 1 });
  giveFilm(() => film);
  const before = await readBalance(caller.accountId);
  const body = () => Promise.resolve({ prompt: 'slower', videos: [new URL('/film.mp4', address).href] });
  const { id } = (await submitGeneration({ caller, architectureId: 'cherry', body })).generation;
  await fetchOnce(id);
  expect(await read(id)).toMatchObject({
    status: 'failed',
    refunded: true,
    errorMessage: expect.stringMatching(/^A source video for .* this one is 1\S* s\. The gems were refunded\.$/),
  });
  expect(await readBalance(caller.accountId)).toBe(before);
  expect(await filmsKept()).toEqual([]);
});

test('a small difference in video length, as from container rounding, is accepted', async () => {
  let film = await makeAv('mp4', { seconds: 3 });
  giveFilm(() => film);
  const body = () =>
    Promise.resolve({ prompt: 'slower', model_id: 'berry', video: new URL('/film.mp4', address).href });
  const { id } = (await submitGeneration({ caller, architectureId: 'berry', body })).generation;
  film = await makeAv('mp4', { seconds: 3.5 });
  await fetchOnce(id);
  expect(await read(id)).toMatchObject({ status: 'queued', fetched: true });
});

test.skipIf(process.platform !== 'linux')(
  'a fetch whose decoder is killed for its memory use is retried, but not without end',
  async () => {
    const sound = await submit();
    await withDecodersKilled(fetchOnce(sound));
    expect(await read(sound)).toMatchObject({ status: 'queued', fetched: false, interruptions: 1, worker: null });
    await fetchOnce(sound);
    expect(await read(sound)).toMatchObject({ status: 'queued', fetched: true, interruptions: 1 });

    const unlucky = await submit();
    const { gems } = await read(unlucky);
    const before = await readBalance(caller.accountId);
    for (let n = 0; n < MAX_INTERRUPTIONS; n++) await withDecodersKilled(fetchOnce(unlucky));
    expect(await read(unlucky)).toMatchObject({ status: 'queued', interruptions: MAX_INTERRUPTIONS });
    await fetchOnce(unlucky);
    expect(await read(unlucky)).toMatchObject({ status: 'failed' });
    expect(await readBalance(caller.accountId)).toBe(before + gems);
  },
);
