import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { QUICK, refusal } from '../customer.ts';
import { clusterUrl, createDatabase } from '../house.ts';
import { expect, temporaryFolder, test } from './deployment.ts';

// the volume of the media is full

test.describe.configure({ timeout: 120_000 });

/** Size of the volume, more than a worker requires free. */
const MEGABYTES = 200;
/** An image of about 300 kB: noise does not compress. */
const PICTURE = await noise();

/** Mounts a small volume and returns its folder; null where mounting is not permitted. */
function mountVolume(folder = temporaryFolder()): string | null {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${MEGABYTES}m,mode=711`, 'tmpfs', folder], { stdio: 'ignore' });
    return folder;
  } catch {
    rmSync(folder, { recursive: true });
    return null;
  }
}

function unmount(folder: string): void {
  execFileSync('umount', ['-l', folder]);
  rmSync(folder, { recursive: true });
}

/** Fills the volume up to one free block. */
function fill(ballast: string, folder: string): void {
  const { bavail, bsize } = statfsSync(folder);
  execFileSync('fallocate', ['-l', String((bavail - 1) * bsize), ballast]);
}

async function noise(): Promise<string> {
  const { default: sharp } = await import('sharp');
  const raw = { width: 320, height: 320, channels: 3 } as const;
  const bytes = await sharp(crypto.getRandomValues(new Uint8Array(65_536)), {
    raw: { width: 256, height: 256, channels: 1 },
  })
    .resize(raw.width, raw.height)
    .png()
    .toBuffer();
  return `data:image/png;base64,${bytes.toString('base64')}`;
}

test('with a full disk, files are refused with 503 and none is left incomplete; with space, work goes on', async ({
  deploy,
}) => {
  const volume = mountVolume();
  test.skip(volume === null, 'mounting a volume needs more rights');
  const dataDir = String(volume);
  try {
    const host = await deploy({ WORKER: 'off' });
    const deployment = await deploy({
      DATA_DIR: dataDir,
      DATABASE_URL: await createDatabase(clusterUrl(String(host.env.DATA_DIR))),
    });
    const customer = await deployment.open();
    await customer.generate();
    const balance = await customer.balance();
    const ballast = join(dataDir, 'ballast');
    fill(ballast, dataDir);

    // requests that store files are refused
    const body = { prompt: 'a pear', image: PICTURE };
    const refused = await customer.post({ architecture: 'guava', body });
    await refusal(refused, 503, 'out_of_space');
    expect(refused.headers()['retry-after']).toBe('60');
    const character = await customer.api.post('/v1/characters', {
      data: { name: 'Ana', handle: 'ana', image: PICTURE },
    });
    await refusal(character, 503, 'out_of_space');
    const ticket = await (await customer.api.post('/v1/uploads', { data: { content_type: 'image/png' } })).json();
    const data = Buffer.from(PICTURE.slice(PICTURE.indexOf(',') + 1), 'base64');
    await refusal(await customer.api.put(ticket.upload_url, { headers: ticket.headers, data }), 503, 'out_of_space');

    // generations wait in the queue
    const waiting = await customer.submit();
    expect(await customer.balance()).toBe(balance - QUICK.gems);
    expect((await customer.list()).data).toHaveLength(2);
    expect((await (await customer.api.get('/v1/characters')).json()).data).toEqual([]);
    expect(readdirSync(join(dataDir, 'media', '.unfinished'))).toEqual([]);
    await deployment.checkLedger();

    rmSync(ballast);
    expect((await customer.api.put(ticket.upload_url, { headers: ticket.headers, data })).status()).toBe(200);
    expect(await customer.finish(waiting)).toMatchObject({ status: 'completed' });
    expect((await customer.post({ architecture: 'guava', body })).status()).toBe(202);
    await customer.generate();
    await deployment.checkLedger();
    await deployment.starter.stop();
  } finally {
    unmount(dataDir);
  }
});

test('a machine with a full disk takes no requests, and another machine completes them', async ({ deploy }) => {
  const volume = mountVolume();
  test.skip(volume === null, 'mounting a volume needs more rights');
  const dataDir = String(volume);
  const ballast = join(dataDir, 'ballast');
  try {
    const shared = { STORAGE_URL: `file://${temporaryFolder()}`, SECRET_KEY: 'shared by the machines of this test' };
    const host = await deploy({ ...shared, WORKER: 'off' });
    fill(ballast, dataDir);
    const full = host.startWorker({ DATA_DIR: dataDir, DATABASE_URL: clusterUrl(String(host.env.DATA_DIR)) });
    const customer = await host.open();
    await expect.poll(() => full.output(), { timeout: 30_000 }).toContain('disk full');
    const submitted = await Promise.all(Array.from({ length: 6 }, () => customer.submit()));
    const sound = host.startWorker();
    for (const one of submitted) expect(await customer.finish(one)).toMatchObject({ status: 'completed' });

    await sound.stop();
    const last = await customer.submit();
    rmSync(ballast);
    expect(await customer.finish(last)).toMatchObject({ status: 'completed' });
    await full.stop();
  } finally {
    unmount(dataDir);
  }
});

test('requests wait while the media volume is full or read-only, and complete without a failed attempt', async ({
  deploy,
}) => {
  const volume = mountVolume();
  test.skip(volume === null, 'mounting a volume needs more rights');
  const media = String(volume);
  const ballast = join(media, 'ballast');
  const remount = (how: 'ro' | 'rw') => execFileSync('mount', ['-o', `remount,${how}`, media]);
  try {
    const deployment = await deploy({ STORAGE_URL: `file://${media}` });
    const customer = await deployment.open();
    await customer.generate();
    remount('ro');
    const waiting = await customer.submit();
    await expect.poll(() => deployment.starter.output(), { timeout: 60_000 }).toContain('outputs wait for it');
    const later = await customer.submit();
    remount('rw');
    for (const one of [waiting, later]) expect(await customer.finish(one)).toMatchObject({ status: 'completed' });

    fill(ballast, media);
    const last = await customer.submit();
    await expect.poll(() => deployment.starter.output(), { timeout: 60_000 }).toContain('disk full');
    rmSync(ballast);
    expect(await customer.finish(last)).toMatchObject({ status: 'completed' });
    const { rows } = await deployment.pool.query('select sum(attempts)::int as attempts from requests');
    expect(rows).toEqual([{ attempts: 0 }]);
    await deployment.checkLedger();
    await deployment.starter.stop();
  } finally {
    unmount(media);
  }
});

test('requests wait while the folder for temporary files is read-only, without a failed attempt', async ({
  deploy,
}) => {
  const dataDir = temporaryFolder();
  const folder = join(dataDir, 'tmp');
  mkdirSync(folder);
  test.skip(mountVolume(folder) === null, 'mounting a volume needs more rights');
  const remount = (how: 'ro' | 'rw') => execFileSync('mount', ['-o', `remount,${how}`, folder]);
  try {
    const deployment = await deploy({ DATA_DIR: dataDir });
    const customer = await deployment.open();
    await customer.generate();
    remount('ro');
    const waiting = await customer.submit();
    await expect.poll(() => deployment.starter.output(), { timeout: 60_000 }).toContain('disk unavailable');
    const later = await customer.submit();
    remount('rw');
    for (const one of [waiting, later]) expect(await customer.finish(one)).toMatchObject({ status: 'completed' });
    const { rows } = await deployment.pool.query('select sum(attempts)::int as attempts from requests');
    expect(rows).toEqual([{ attempts: 0 }]);
    await deployment.checkLedger();
    await deployment.starter.stop();
  } finally {
    unmount(folder);
    rmSync(dataDir, { recursive: true });
  }
});

test('old temporary files of killed processes are deleted even on a machine without a worker', async ({ deploy }) => {
  const dataDir = temporaryFolder();
  const [old, young] = ['work-old', 'work-young'].map(name => join(dataDir, 'tmp', name));
  for (const folder of [old, young]) mkdirSync(folder!, { recursive: true });
  const { DATA_DIR } = (await deploy({ WORKER: 'off' })).env;
  utimesSync(old!, 1, 1);
  await deploy({ WORKER: 'off', DATA_DIR: dataDir, DATABASE_URL: await createDatabase(clusterUrl(String(DATA_DIR))) });
  await expect.poll(() => existsSync(old!)).toBe(false);
  expect(existsSync(young!)).toBe(true);
  rmSync(dataDir, { recursive: true });
});
