import { randomUUID } from 'node:crypto';
import type { APIRequestContext } from '@playwright/test';
import { drizzle } from 'drizzle-orm/node-postgres';
import * as schema from '#lib/db/schema';
import { setPassword } from '#lib/accounts/sign-ins';
import { openContext } from './api-context.ts';
import type { Customer } from './customer.ts';
import type { House } from './house.ts';

export const PASSWORD = 'a quiet orchard';

/** A signed-in user, who sends requests as pages of the app do: same origin, with the cookie. */
export interface Member {
  accountId: string;
  email: string;
  /** Request context with the cookie, as of the app's own pages. */
  page: APIRequestContext;
  /** Value of the `Cookie` header. */
  cookie: string;
  /** API client of the same account. */
  customer: Customer;
}

/** Creates an account and signs it in. */
export async function openMember(house: House, { operator = false } = {}): Promise<Member> {
  const customer = await house.open();
  const { accountId, email } = customer;
  await setPassword({ id: accountId, email }, PASSWORD, drizzle(house.pool, { schema }));
  if (operator) await house.pool.query('update accounts set operator = true where id = $1', [accountId]);
  const page = await pageOf(house.baseURL);
  const cookie = await signIn(page, email);
  return { accountId, email, page, cookie, customer };
}

/** Opens a request context as of a page of the deployment; `cookie` is that of an earlier sign-in. */
export const pageOf = (baseURL: string, cookie?: string): Promise<APIRequestContext> =>
  openContext({ baseURL, extraHTTPHeaders: { 'sec-fetch-site': 'same-origin', ...(cookie && { cookie }) } });

/** Signs in and returns the value of the `Cookie` header. */
export async function signIn(page: APIRequestContext, email: string, password = PASSWORD): Promise<string> {
  const response = await page.post('/api/session', { data: { email, password } });
  if (!response.ok()) throw new Error(`not signed in: ${await response.text()}`);
  const [cookie = ''] = (response.headers()['set-cookie'] ?? '').split(';');
  return cookie;
}

export const newAddress = (): string => `${randomUUID()}@example.com`;
