import type { APIResponse, BrowserContext } from '@playwright/test';
import { expect } from './fixtures.ts';
import type { House } from './house.ts';
import { newAddress, PASSWORD } from './member.ts';

/** A user who is signed in in the browser of the test. */
export interface SignedIn {
  id: string;
  email: string;
  /** Sends a request as the app's own pages do. */
  call(method: string, path: string, data?: object): Promise<APIResponse>;
}

/** Signs up a new user in this browser, as an operator if `operator` is set. */
export async function signUp(context: BrowserContext, house: House, operator = false): Promise<SignedIn> {
  const email = newAddress();
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
