import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { encodeStill, makeInterlacedPng, muxVp8 } from '#lib/media/hostile-test-media';

/** Keys of the attacker: `rich` has gems and the live request `live`, `poor` has neither. */
export interface Attacker {
  base: string;
  rich: string;
  poor: string;
  live: string;
}

interface Attack {
  /** Number of concurrent clients that repeat the attack; its answers are ignored. */
  atOnce: number;
  shot: (attacker: Attacker) => () => Promise<unknown>;
}

/** Own source address, as a real attacker has: limits per address then affect the attacker alone. */
const ADDRESS = '127.0.0.2';
const agent = new Agent({ connections: 64, pipelining: 1, headersTimeout: 120_000, localAddress: ADDRESS });

type Call = Parameters<typeof request>[1] & { key?: string; json?: unknown };

async function call(url: string, { key, json, headers, ...rest }: Call = {}): Promise<void> {
  const response = await request(url, {
    ...rest,
    dispatcher: agent,
    headers: {
      ...headers,
      ...(key && { authorization: `Bearer ${key}` }),
      ...(json !== undefined && { 'content-type': 'application/json' }),
    },
    ...(json !== undefined && { method: 'POST', body: typeof json === 'string' ? json : JSON.stringify(json) }),
  });
  await response.body.dump({ limit: 2 ** 30 });
}

const get = (path: string, atOnce: number): Attack => ({
  atOnce,
  shot:
    ({ base }) =>
    () =>
      call(base + path),
});

const post = (path: string, atOnce: number, json: () => unknown, who?: (attacker: Attacker) => string): Attack => ({
  atOnce,
  shot: attacker => {
    const body = JSON.stringify(json());
    const key = who?.(attacker);
    return () => call(attacker.base + path, { json: body, ...(key && { key }) });
  },
});

/** Opens a connection that sends `head` and then stays silent, or sends a byte per second. */
const hold = (head: string, drips: boolean): Attack['shot'] => {
  return ({ base }) =>
    () =>
      new Promise<void>(done => {
        const { hostname: host, port } = new URL(base);
        const socket = connect({ port: Number(port), host, localAddress: ADDRESS }, () => socket.write(head));
        const drip = drips ? setInterval(() => socket.write('x'), 1_000) : undefined;
        socket.resume().on('error', () => {});
        socket.once('close', () => {
          clearInterval(drip);
          done();
        });
      });
};

async function* zeros(megabytes: number): AsyncGenerator<Buffer> {
  for (let sent = 0; sent < megabytes; sent++) yield Buffer.alloc(1_000_000, ' ');
}

const dataUrl = (type: string, bytes: Uint8Array) => `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
const rich = (attacker: Attacker) => attacker.rich;
const poor = (attacker: Attacker) => attacker.poor;

const flood = async () => {
  const [key, still] = encodeStill(4096, 2304) as [Buffer, Buffer];
  return muxVp8([key, ...Array.from({ length: 2_999 }, () => still)], 30, [4096, 2304]);
};
const FILM = dataUrl('video/webm', await flood());
const PICTURE = dataUrl('image/png', makeInterlacedPng(8_000));
const PARTS = '--b\r\ncontent-disposition: form-data; name=""; filename=""\r\n\r\n\r\n'.repeat(20_000);
const members = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`member${at}`, 1]));
const nested = (depth: number) => `{"prompt":"x","a":${'['.repeat(depth)}${']'.repeat(depth)}}`;

/** Attacks that try to slow down other users. */
export const ATTACKS: Record<string, Attack> = {
  'the image optimizer': get(`/_next/image?url=${encodeURIComponent('/icon.svg')}&w=3840&q=100`, 24),
  'bodies of 300 MB at /api/auth': {
    atOnce: 8,
    shot: attacker => () =>
      call(`${attacker.base}/api/auth/signout`, { method: 'POST', body: Readable.from(zeros(300)) }),
  },
  'log lines of 4 MB': post('/api/auth/_log', 8, () => ({ message: 'x'.repeat(4_000_000) })),
  'estimates with large pictures': post('/v1/guava/estimate', 9, () => ({ prompt: 'x', image: PICTURE }), poor),
  'submits with large pictures': post('/v1/guava/generate', 9, () => ({ prompt: 'x', image: PICTURE }), rich),
  'characters of large pictures': post('/v1/characters', 9, () => ({ name: 'x', image: PICTURE }), rich),
  'films of 3,000 large pictures': post('/v1/berry/generate', 4, () => ({ prompt: 'x', video: FILM }), rich),
  'films at a name that nobody answers': post(
    '/v1/berry/generate',
    60,
    () => ({ prompt: 'x', video: `https://${randomUUID()}.example/film.mp4` }),
    rich,
  ),
  'openapi.json': get('/v1/openapi.json', 32),
  'validators of forms': get('/studio-validators/any/z_image', 32),
  'pages of the docs': get('/docs', 32),
  'wrong passwords': post('/api/session', 32, () => ({ email: 'operator@localhost', password: 'a wrong one' })),
  'wrong keys': {
    atOnce: 32,
    shot:
      ({ base }) =>
      () =>
        call(`${base}/v1/account`, { key: `pomona_sk_${'A'.repeat(49)}` }),
  },
  'submits without gems, each with a key': {
    atOnce: 32,
    shot: attacker => () =>
      call(`${attacker.base}/v1/z_image/generate`, {
        key: attacker.poor,
        headers: { 'idempotency-key': randomUUID() },
        json: { prompt: 'x' },
      }),
  },
  'bodies of 200,000 members': post('/v1/z_image/estimate', 8, () => members(200_000), poor),
  'bodies 100,000 deep': {
    atOnce: 8,
    shot: attacker => () => call(`${attacker.base}/v1/z_image/estimate`, { key: attacker.poor, json: nested(100_000) }),
  },
  'forms of 20,000 parts': {
    atOnce: 8,
    shot:
      ({ base, poor }) =>
      () =>
        call(`${base}/openai/v1/videos`, {
          method: 'POST',
          key: poor,
          headers: { 'content-type': 'multipart/form-data; boundary=b' },
          body: PARTS,
        }),
  },
  '2,300 silent sockets': { atOnce: 2_300, shot: hold('GET / HTTP/1.1\r\nHost: x\r\n', false) },
  '500 bodies that drip': {
    atOnce: 500,
    shot: hold('POST /v1/z_image/estimate HTTP/1.1\r\nHost: x\r\nContent-Length: 9999\r\n\r\n', true),
  },
  '2,000 polls that wait': {
    atOnce: 2_000,
    shot: attacker => () =>
      call(`${attacker.base}/v1/requests/${attacker.live}/status?wait=60`, { key: attacker.rich }),
  },
};

/** Starts the attack, which goes on until this process is killed. */
async function attack(name: string, attacker: Attacker): Promise<void> {
  const { atOnce, shot } = ATTACKS[name]!;
  const fire = shot(attacker);
  const one = async () => {
    for (;;) {
      await fire().catch(() => pause(50));
    }
  };
  for (let started = 0; started < atOnce; started++) void one();
}

const [, , name, attacker] = process.argv;
if (name && attacker && process.send) {
  // the attacker stands for remote machines, so it runs at idle priority and its own cost is not measured
  execFileSync('chrt', ['--all-tasks', '--idle', '--pid', '0', String(process.pid)]);
  await attack(name, JSON.parse(attacker) as Attacker);
  process.send('begun');
}
