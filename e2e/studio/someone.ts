import { randomUUID } from 'node:crypto';
import type { BrowserContext, Locator, Page, Route } from '@playwright/test';
import sharp from 'sharp';
import type { ListWire, RequestWire } from '#lib/contract/schemas';
import { expect, test as base } from '../fixtures.ts';
import { signUp, type SignedIn, watchFaults } from '../session.ts';

/** Somebody new who is signed in in this browser. */
export interface Someone extends SignedIn {
  page: Page;
  context: BrowserContext;
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
  someone: async ({ page, context, house }, use) => {
    const faults = watchFaults(page);
    await use({ page, context, ...(await signUp(context, house)) });
    expect(faults).toEqual([]);
  },
});

export { expect };

type Calling = Pick<SignedIn, 'call'>;

/** Makes something without the page, and waits for it. */
export async function make({ call }: Calling, architecture: string, body: object): Promise<RequestWire> {
  const made = await call('POST', `/v1/${architecture}/generate`, body);
  expect(made.status(), await made.text()).toBe(202);
  const { request_id } = (await made.json()) as RequestWire;
  return (await (await call('GET', `/v1/requests/${request_id}/status?wait=60`)).json()) as RequestWire;
}

/** What somebody has made, the newest first; `query` narrows it. */
export const requestsOf = async ({ call }: Calling, query = ''): Promise<RequestWire[]> =>
  ((await (await call('GET', `/v1/requests${query}`)).json()) as ListWire<RequestWire>).data;

/** A handle that nobody has, however often the tests run against one deployment. */
export const freshName = (): string => `Q${randomUUID().replaceAll('-', '').slice(0, 11)}`;

/** A picture as a file of the device. */
export async function pictureFile(name = 'portrait.png') {
  const picture = sharp({ create: { width: 240, height: 300, channels: 3, background: '#ef6a2f' } });
  return { name, mimeType: 'image/png', buffer: await picture.png().toBuffer() };
}

/** The same in an address, as clients of the API send it. */
export const pictureAddress = async (): Promise<string> =>
  `data:image/png;base64,${(await pictureFile()).buffer.toString('base64')}`;

/** Lets what a page asks for there wait until what is given back is called. */
export async function hold(page: Page, address: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(address, async route => {
    await promise;
    await route.continue();
  });
  return resolve;
}

/** Has the server answer the first thing that a page asks for there; the page learns of it when what is given back is called. */
export async function holdAnswer(page: Page, address: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const tellLater = async (route: Route) => {
    const response = await route.fetch();
    await promise;
    await route.fulfill({ response });
  };
  await page.route(address, tellLater, { times: 1 });
  return resolve;
}

/** Has the server answer what a page asks for there, so many times, and the answers get lost. */
export const loseAnswers = (page: Page, address: string, times = 1) =>
  page.route(
    address,
    async route => {
      await route.fetch();
      await route.abort();
    },
    { times },
  );

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

/** Some seconds of sound as a file of the device. */
export function soundFile(name = 'bell.wav', seconds = 1) {
  const samples = Buffer.alloc(seconds * 44_100 * 2);
  for (let i = 0; i < seconds * 44_100; i++) samples.writeInt16LE(Math.round(12_000 * Math.sin(i / 12)), i * 2);
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
