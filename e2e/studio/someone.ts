import { randomUUID } from 'node:crypto';
import type { BrowserContext, Locator, Page } from '@playwright/test';
import type { ListWire, RequestWire } from '#lib/contract/schemas';
import { expect, test as base } from '../fixtures.ts';
import { watchFaults } from '../page-checks.ts';
import { signUp, type SignedIn } from '../session.ts';

/** A new user who is signed in in this browser. */
export interface Someone extends SignedIn {
  page: Page;
  context: BrowserContext;
}

/** Fails a test on errors of the page and of its content security policy. The fake microphone records a beep. */
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

/** Generates without the page, and waits for the end. */
export async function make({ call }: Calling, architecture: string, body: object): Promise<RequestWire> {
  const made = await call('POST', `/v1/${architecture}/generate`, body);
  expect(made.status(), await made.text()).toBe(202);
  const { request_id } = (await made.json()) as RequestWire;
  return (await (await call('GET', `/v1/requests/${request_id}/status?wait=60`)).json()) as RequestWire;
}

export const makePicture = (someone: Calling, prompt: string): Promise<RequestWire> =>
  make(someone, 'z_image', { prompt, aspect_ratio: '1:1' });

/** Returns the requests of a user, newest first; `query` filters them. */
export const requestsOf = async ({ call }: Calling, query = ''): Promise<RequestWire[]> =>
  ((await (await call('GET', `/v1/requests${query}`)).json()) as ListWire<RequestWire>).data;

/** Returns a handle that is not taken, however often the tests run against one deployment. */
export const freshName = (): string => `Q${randomUUID().replaceAll('-', '').slice(0, 11)}`;

/** Waits until an element is hydrated. Playwright's clicks and fills wait for that, but keys and files do not. */
export const untilItListens = (field: Locator) =>
  expect(field.and(field.page().locator(':not([inert] *)'))).toBeAttached();
