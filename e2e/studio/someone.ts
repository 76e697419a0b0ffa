import { randomUUID } from 'node:crypto';
import type { APIResponse, BrowserContext, Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import { expect, test as base } from '../fixtures.ts';

/** Somebody new who is signed in in this browser. */
export interface Someone {
  page: Page;
  context: BrowserContext;
  /** Calls the API with the session of the page. */
  call: (method: string, path: string, data?: object) => Promise<APIResponse>;
}

/** Errors of the page and of its content policy fail the test. The microphone hears a beep. */
export const test = base.extend<{ someone: Someone }>({
  launchOptions: [
    async ({ launchOptions }, use) => {
      const microphone = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];
      await use({ ...launchOptions, args: [...(launchOptions.args ?? []), ...microphone] });
    },
    { scope: 'worker' },
  ],
  someone: async ({ page, context, baseURL }, use) => {
    const faults: string[] = [];
    page.on('pageerror', error => faults.push(String(error)));
    page.on('console', message => {
      if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) faults.push(message.text());
    });
    const call: Someone['call'] = (method, path, data) =>
      context.request.fetch(path, { method, headers: { origin: String(baseURL) }, ...(data && { data }) });
    const email = `${randomUUID()}@example.com`;
    const answer = await call('POST', '/api/sign-up', { email, password: randomUUID(), name: 'Mara' });
    expect(answer.status(), await answer.text()).toBe(201);
    await use({ page, context, call });
    expect(faults).toEqual([]);
  },
});

export { expect };

/** A handle that nobody has, however often the tests run against one deployment. */
export const freshName = (): string => `Q${randomUUID().replaceAll('-', '').slice(0, 11)}`;

/** A picture as a file of the device. */
export async function pictureFile(name = 'portrait.png') {
  const picture = sharp({ create: { width: 240, height: 300, channels: 3, background: '#ef6a2f' } });
  return { name, mimeType: 'image/png', buffer: await picture.png().toBuffer() };
}

/** Lets what a page asks for there wait until what is given back is called. */
export async function hold(page: Page, address: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(address, async route => {
    await promise;
    await route.continue();
  });
  return resolve;
}

/** Waits until something of a page that is there answers, too. Clicks and words wait for that by themselves; keys and files do not. */
export const untilItListens = (field: Locator) =>
  expect(field.and(field.page().locator(':not([inert] *)'))).toBeAttached();

/** Chooses files as people do, in a field that answers already. */
export async function chooseFiles(field: Locator, files: Parameters<Locator['setInputFiles']>[0]) {
  await untilItListens(field);
  await field.setInputFiles(files);
}

/** A picture of a megabyte or so, like those that cameras make. */
export async function photoFile(name = 'photo.jpg') {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const photo = sharp({ create: { width: 1200, height: 1500, channels: 3, background: '#ef6a2f', noise } });
  return { name, mimeType: 'image/jpeg', buffer: await photo.jpeg({ quality: 90 }).toBuffer() };
}

/** A second of sound as a file of the device. */
export function soundFile(name = 'bell.wav') {
  const samples = Buffer.alloc(44_100 * 2);
  for (let i = 0; i < 44_100; i++) samples.writeInt16LE(Math.round(12_000 * Math.sin(i / 12)), i * 2);
  const head = Buffer.alloc(44);
  head.write('RIFF\0\0\0\0WAVEfmt ', 'latin1');
  head.writeUInt32LE(36 + samples.length, 4);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(44_100, 24);
  head.writeUInt32LE(88_200, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(samples.length, 40);
  return { name, mimeType: 'audio/wav', buffer: Buffer.concat([head, samples]) };
}
