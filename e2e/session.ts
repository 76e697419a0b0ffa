import { randomUUID } from 'node:crypto';
import type { APIResponse, BrowserContext, Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';
import type { House } from './house.ts';
import { PASSWORD } from './member.ts';

/** Somebody who is signed in in the browser of the test. */
export interface SignedIn {
  id: string;
  email: string;
  /** Calls the app as its own pages do. */
  call(method: string, path: string, data?: object): Promise<APIResponse>;
}

/** Signs somebody new up in this browser; an operator when the house makes them one. */
export async function signUp(context: BrowserContext, house: House, operator = false): Promise<SignedIn> {
  const email = `${randomUUID()}@example.com`;
  const call: SignedIn['call'] = (method, path, data) =>
    context.request.fetch(new URL(path, house.baseURL).href, {
      method,
      headers: { origin: house.baseURL },
      ...(data && { data }),
    });
  const answer = await call('POST', '/api/sign-up', { email, password: PASSWORD, name: 'Ada Byron' });
  expect(answer.status(), await answer.text()).toBe(201);
  const { account } = (await answer.json()) as { account: { id: string } };
  if (operator) await house.pool.query('update accounts set operator = true where id = $1', [account.id]);
  return { id: account.id, email, call };
}

/** Collects what the page and its content policy complain about. */
export function watchFaults(page: Page): string[] {
  const faults: string[] = [];
  page.on('pageerror', error => faults.push(String(error)));
  page.on('console', message => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) faults.push(message.text());
  });
  return faults;
}

/** Opens a page at phone and desk size, light and dark: it fits, and axe finds nothing. */
export async function expectFineEverywhere(page: Page, path: string): Promise<void> {
  // twice the page and four times axe, on a busy machine
  test.setTimeout(120_000);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const [width, height] of [
    [390, 844],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto(path);
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(over, `${path} is wider than a window of ${width}`).toBeLessThanOrEqual(0);
    await expectAccessible(page, `${path} at ${width}`);
  }
}
