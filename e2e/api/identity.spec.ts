import { randomUUID } from 'node:crypto';
import type { APIRequestContext } from '@playwright/test';
import { expect, test as base } from '../fixtures.ts';
import { createDatabase, enterHouse, pomona, startWeb, type House } from '../house.ts';
import { startIdentityProvider, type IdentityProvider, type Person } from '../identity-provider.ts';
import { newAddress, openMember, pageOf } from '../member.ts';
import { untilAnswers } from '../process.ts';

// sign-in through an OpenID Connect provider

interface Fixtures {
  place: House & { provider: IdentityProvider };
}

const test = base.extend<object, Fixtures>({
  place: [
    async ({}, use, { project }) => {
      const provider = await startIdentityProvider();
      const dataDir = String(process.env.E2E_DATA_DIR);
      const DATABASE_URL = await createDatabase(dataDir);
      const env = {
        DATA_DIR: dataDir,
        DATABASE_URL,
        AUTH_OIDC_ISSUER: provider.issuer,
        AUTH_OIDC_ID: 'pomona',
        AUTH_OIDC_SECRET: 'provider-secret',
      };
      await pomona(['account', 'list'], env);
      const web = await startWeb(project.name === 'api-next' ? 'next' : 'server', env);
      await untilAnswers(`${web.baseURL}/v1/account`, web);
      const house = enterHouse(web.baseURL, DATABASE_URL);
      await use({ ...house, provider });
      await house.close();
      await web.stop();
      provider.close();
      // what went wrong here was said without the secret
      expect(web.output()).not.toContain('provider-secret');
    },
    { scope: 'worker', timeout: 60_000 },
  ],
});

/** Goes to the provider and comes back as this person. Gives the address that the browser is sent on to. */
async function enter(place: Fixtures['place'], page: APIRequestContext, person: Person): Promise<string> {
  const { csrfToken } = await (await page.get('/api/auth/csrf')).json();
  const form = { csrfToken, callbackUrl: `${place.baseURL}/create`, json: 'true' };
  const { url } = await (await page.post('/api/auth/signin/oidc', { form })).json();
  const back = await page.get(place.provider.agree(url, person), { maxRedirects: 0 });
  return back.headers().location ?? '';
}

const someone = (): Person => ({ sub: randomUUID(), email: newAddress(), name: 'Ada' });

test('a person signs up and in through the provider, and the session serves /v1', async ({ place }) => {
  const ada = someone();
  const [first, again] = [await pageOf(place.baseURL), await pageOf(place.baseURL)];
  expect(await enter(place, first, ada)).toBe(`${place.baseURL}/create`);
  expect((await first.get('/v1/account')).status()).toBe(200);
  const profile = await (await first.get('/api/account')).json();
  expect(profile).toMatchObject({ email: ada.email, name: 'Ada', sign_ins: [{ provider: 'oidc' }] });
  await enter(place, again, { ...ada, email: newAddress() });
  expect(await (await again.get('/api/account')).json()).toMatchObject({ id: profile.id, email: ada.email });
  expect(await (await again.get('/api/auth/session')).json()).toMatchObject({
    user: { email: ada.email, name: 'Ada' },
  });
  await again.post('/api/account/sign-out-everywhere');
  expect((await first.get('/v1/account')).status()).toBe(401);
  expect((await (await first.get('/api/auth/session')).json()).user).toBeUndefined();
});

test('an address alone opens no account; whoever is signed in adds the provider to it', async ({ place }) => {
  const member = await openMember(place);
  const grace = { ...someone(), email: member.email };
  const stranger = await pageOf(place.baseURL);
  const refused = await enter(place, stranger, grace);
  expect(new URL(refused, place.baseURL)).toMatchObject({ pathname: '/sign-in', search: '?error=account_exists' });
  expect((await stranger.get('/v1/account')).status()).toBe(401);
  expect(await enter(place, member.page, grace)).toBe(`${place.baseURL}/create`);
  await enter(place, stranger, grace);
  expect(await (await stranger.get('/api/account')).json()).toMatchObject({ id: member.accountId });
});
