import type { APIRequestContext } from '@playwright/test';
import { refusal } from '../customer.ts';
import { expect, someone, test, type HouseWithProvider } from '../house-with-provider.ts';
import type { Claims, Person } from '../identity-provider.ts';
import { newAddress, openMember, pageOf } from '../member.ts';

// sign-in through an OpenID Connect provider

/** Signs in at the provider as `person` and comes back, optionally in another browser. Returns the final redirect. */
async function enter(
  place: HouseWithProvider,
  page: APIRequestContext,
  person: Person & Claims,
  comesBack = page,
  target = '/create',
): Promise<string> {
  const { csrfToken } = await (await page.get('/api/auth/csrf')).json();
  const form = { csrfToken, callbackUrl: `${place.baseURL}${target}`, json: 'true' };
  const { url } = await (await page.post('/api/auth/signin/oidc', { form })).json();
  const back = await comesBack.get(place.provider.agree(url, person), { maxRedirects: 0 });
  return back.headers().location ?? '';
}

test('a user signs up and in through the provider, and the session is accepted by /v1', async ({ place }) => {
  const ada = someone();
  const [first, again] = [await pageOf(place.baseURL), await pageOf(place.baseURL)];
  expect(await enter(place, first, ada)).toBe(`${place.baseURL}/create`);
  expect((await first.get('/v1/account')).status()).toBe(200);
  const profile = await (await first.get('/api/account')).json();
  expect(profile).toMatchObject({ email: ada.email, name: 'Ada', sign_ins: [{ provider: 'oidc' }] });
  await enter(place, again, { ...ada, email: newAddress() });
  expect(await (await again.get('/api/account')).json()).toMatchObject({ id: profile.id, email: ada.email });
  await again.delete('/api/session');
  expect((await first.get('/v1/account')).status()).toBe(200);
  const [session] = (await (await first.get('/api/account/sessions')).json()).data;
  expect((await first.delete(`/api/account/sessions/${session.id}`)).status()).toBe(204);
  expect((await first.get('/v1/account')).status()).toBe(401);
});

test('a matching e-mail does not sign in to an account; a signed-in user links the provider, which is audited', async ({
  place,
}) => {
  const [member, operator] = [await openMember(place), await openMember(place, { operator: true })];
  const grace = { ...someone(), email: member.email };
  const stranger = await pageOf(place.baseURL);
  const refused = await enter(place, stranger, grace);
  expect(new URL(refused, place.baseURL)).toMatchObject({ pathname: '/sign-in', search: '?error=account_exists' });
  expect((await stranger.get('/v1/account')).status()).toBe(401);
  expect(await enter(place, member.page, grace)).toBe(`${place.baseURL}/create`);
  await enter(place, stranger, grace);
  expect(await (await stranger.get('/api/account')).json()).toMatchObject({ id: member.accountId });
  const { data } = await (await operator.page.get(`/api/admin/audit?account_id=${member.accountId}`)).json();
  expect(data).toMatchObject([{ actor: member.email, act: 'sign_in.add', after: { provider: 'oidc' } }]);
});

test('linking an identity of another account is refused; the user stays signed in and can go back', async ({
  place,
}) => {
  const [grace, stranger, member] = [someone(), await pageOf(place.baseURL), await openMember(place)];
  await enter(place, stranger, grace);
  const there = await enter(place, member.page, grace, member.page, '/account/security');
  expect(there).toBe('/sign-in?error=other_account');
  expect(await (await member.page.get('/api/account')).json()).toMatchObject({ id: member.accountId });
  for (const [page, says] of [
    [there, 'It belongs to another account here.'],
    ['/sign-in?error=AccessDenied', 'The provider refused or took too long.'],
  ] as const) {
    const shown = await member.page.get(page);
    expect(new URL(shown.url()).pathname).toBe('/sign-in');
    const text = await shown.text();
    expect(text).toContain(says);
    expect(text).toContain('href="/account/security"');
  }
});

test('a provider response that is forged, expired or requested by another browser signs nobody in', async ({
  place,
}) => {
  const hourAgo = Math.floor(Date.now() / 1000) - 3_600;
  const wrong: Claims[] = [
    { nonce: 'that of another browser' },
    { nonce: undefined },
    { aud: 'another client' },
    { iss: 'https://evil.example' },
    { exp: hourAgo },
  ];
  const [asks, other] = [await pageOf(place.baseURL), await pageOf(place.baseURL)];
  const tries = wrong.map(claims => ({ claims, comesBack: asks }));
  for (const { claims, comesBack } of [...tries, { claims: {} as Claims, comesBack: other }]) {
    const there = await enter(place, asks, { ...someone(), ...claims }, comesBack);
    const shown = await comesBack.get(there);
    expect(new URL(shown.url()).pathname, JSON.stringify(claims)).toBe('/sign-in');
    expect(await shown.text()).toContain('The provider refused or took too long. Try again.');
    expect((await comesBack.get('/v1/account')).status()).toBe(401);
  }
});

test('an odd subject claim from the provider redirects to a page of this site', async ({ place }) => {
  for (const sub of ['a\0b', 'a\nb', 'x'.repeat(300), { toString: 1 }, ['__proto__']]) {
    const page = await pageOf(place.baseURL);
    const there = await enter(place, page, { ...someone(), sub: sub as string });
    expect(there, JSON.stringify(sub)).toMatch(
      /^(http:\/\/localhost:\d+)?\/(create|api\/auth\/signin|sign-in\?error=\w+)$/,
    );
  }
});

test('after a refusal the sign-in page keeps the page that the user was going to', async ({ place }) => {
  const [page, { email }] = [await pageOf(place.baseURL), await openMember(place)];
  const there = await enter(place, page, { ...someone(), email }, page, '/history?status=failed');
  expect(there).toBe('/sign-in?error=account_exists');
  expect(await (await page.get(there)).text()).toContain('/sign-up?next=%2Fhistory%3Fstatus%3Dfailed');
  expect(await (await page.get('/sign-in')).text()).not.toContain('/sign-up?next=');
});

test('paths that next-auth should not handle answer 404; wrong methods and large bodies are refused', async ({
  place,
}) => {
  const page = await pageOf(place.baseURL);
  for (const [method, path] of [
    ['POST', '_log'],
    ['GET', 'session'],
    ['POST', 'session'],
    ['POST', 'signout'],
    ['GET', 'error/oidc'],
    ['GET', 'verify-request'],
    ['POST', 'signin'],
    ['POST', 'signin/other'],
    ['POST', 'signin/__proto__'],
    ['GET', 'callback/__proto__'],
    ['GET', 'signin/oidc'],
    ['GET', 'callback/oidc/more'],
    ['GET', 'providers/oidc'],
  ] as const) {
    await refusal(await page.fetch(`/api/auth/${path}`, { method }), 404, 'not_found');
  }
  await refusal(await page.delete('/api/auth/csrf'), 405, 'method_not_allowed');
  const form = { csrfToken: 'x'.repeat(70_000) };
  await refusal(await page.post('/api/auth/signin/oidc', { form }), 413, 'request_too_large');
});

test('odd forms, URLs and cookies at the sign-in routes cause neither a 5xx nor a redirect to another site', async ({
  place,
}) => {
  const odd = [
    '%',
    '\0',
    '__proto__',
    '//evil.example',
    'javascript:1',
    'https://evil.example/x',
    '\ud800',
    'x'.repeat(9_000),
  ];
  for (const value of odd) {
    const text = encodeURIComponent(value.toWellFormed());
    const headers = { cookie: `next-auth.callback-url=${text}; next-auth.csrf-token=${text}; next-auth.state=%` };
    for (const [method, path, body] of [
      ['GET', `csrf?callbackUrl=${text}`],
      ['GET', `signin?callbackUrl=${text}&error=${text}`],
      ['GET', `error?error=${text}`],
      ['GET', `callback/oidc?code=${text}&state=${text}&error=${text}`],
      ['GET', `callback/oidc?error=access_denied&error_description=${text}&iss=${text}`],
      ['POST', 'signin/oidc', `csrfToken=${text}&callbackUrl=${text}&json=true&__proto__=x`],
      ['POST', 'signin/oidc', text],
    ] as const) {
      const answer = await fetch(`${place.baseURL}/api/auth/${path.slice(0, 12_000)}`, {
        method,
        redirect: 'manual',
        headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
        ...(body !== undefined && { body }),
      });
      expect(answer.status, `${method} ${path} ${value.slice(0, 30)}`).toBeLessThan(500);
      expect(answer.headers.get('location') ?? '/').toMatch(/^(\/(?!\/)|http:\/\/localhost:)/);
    }
  }
});
