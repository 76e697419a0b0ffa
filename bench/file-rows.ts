import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { request } from 'undici';
import { call } from './measure.ts';
import type { Row } from './rows.ts';
import type { Stage, Target } from './stage.ts';

const SIZE = 104_857_600;

interface Ticket {
  upload_url: string;
  headers: Record<string, string>;
  url: string;
}

/** Measures a 100 MB upload and its download against a bare server that pipes the same file. */
export async function fileRows(stage: Stage, target: Target, rounds: number): Promise<Row[]> {
  const bytes = randomBytes(SIZE);
  bytes.write('\0\0\0\x18ftypisom', 'latin1');
  const bare = await stage.startScript('bare-files.ts', { DATA_DIR: stage.folder });
  await writeFile(join(stage.folder, 'bare.mp4'), bytes);
  const [put, barePut, get, bareGet, growth]: number[][] = [[], [], [], [], []];
  const before = await residentMegabytes(target);
  for (let round = 0; round < rounds; round++) {
    const ticket = await openTicket(target);
    put?.push(await rateOf(() => send(ticket.upload_url, ticket.headers, bytes)));
    growth?.push((await residentMegabytes(target)) - before);
    barePut?.push(await rateOf(() => send(bare.base, {}, bytes)));
    get?.push(await rateOf(() => receive(ticket.url)));
    bareGet?.push(await rateOf(() => receive(`${bare.base}/bare.mp4`)));
  }
  console.log(
    `memory of the web process after uploads of 100 MB: ${growth?.map(megabytes => `+${Math.round(megabytes)}`).join(', ')} MB (≤ +48)`,
  );
  return [
    {
      what: 'upload of 100 MB',
      against: 'bare pipeline to a synced file',
      unit: 'MB/s',
      ours: put ?? [],
      theirs: barePut ?? [],
      bound: { atLeast: 0.8 },
    },
    {
      what: 'media download',
      against: 'bare file stream',
      unit: 'MB/s',
      ours: get ?? [],
      theirs: bareGet ?? [],
      bound: { atLeast: 0.9 },
    },
  ];
}

async function openTicket(target: Target): Promise<Ticket> {
  const headers = { authorization: `Bearer ${target.keys[0]}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ content_type: 'video/mp4' });
  return JSON.parse(await call(`${target.base}/v1/uploads`, 200, { method: 'POST', headers, body })) as Ticket;
}

async function send(url: string, headers: Record<string, string>, bytes: Buffer): Promise<void> {
  const response = await request(url, { method: 'PUT', headers, body: bytes });
  const text = await response.body.text();
  if (response.statusCode >= 300) throw new Error(`PUT answered ${response.statusCode}: ${text}`);
}

async function receive(url: string): Promise<void> {
  const response = await request(url);
  let length = 0;
  for await (const chunk of response.body as AsyncIterable<Buffer>) length += chunk.length;
  if (response.statusCode !== 200 || length !== SIZE)
    throw new Error(`GET ${url} answered ${response.statusCode}, ${length} bytes`);
}

/** Returns the rate of an exchange in megabytes per second. */
async function rateOf(exchange: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await exchange();
  return SIZE / 1e6 / ((performance.now() - begun) / 1000);
}

/** Returns the resident memory of the web process, from Linux's /proc. */
async function residentMegabytes({ child }: Target): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}
