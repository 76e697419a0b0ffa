import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OAuthConfig, UserinfoEndpointHandler } from 'next-auth/providers/oauth';
import { beforeEach, expect, test, vi } from 'vitest';
import { findAccountByEmail } from '#lib/accounts/accounts';
import { createInvite } from '#lib/accounts/invites';
import { authOptions } from '#lib/auth/options';
import { authProviders, type ProviderProfile } from '#lib/auth/providers';
import { useOwnDatabase } from '#lib/db/test-database';
import { env } from '#lib/env';
import { newId } from '#lib/ids';

await useOwnDatabase();
process.env.DATA_DIR = await mkdtemp(join(tmpdir(), 'pomona-providers-'));
Object.assign(env(), { SIGN_UP: 'invite', AUTH_GITHUB_ID: 'an app', AUTH_GITHUB_SECRET: 'its secret' });

interface Person {
  id: number;
  login: string;
  /** Public e-mail address; null when it is not public. */
  email: string | null;
  /** E-mail addresses as GitHub lists them; null when the app may not read them. */
  emails: { email: string; primary: boolean; verified: boolean }[] | null;
}

const listed = vi.spyOn(globalThis, 'fetch');
beforeEach(() => listed.mockReset());

/** Signs in as next-auth does with a GitHub token. Returns the account's e-mail address, or the redirect target. */
async function enter({ emails, ...user }: Person): Promise<string | null> {
  listed.mockResolvedValue(emails ? Response.json(emails) : new Response(null, { status: 404 }));
  const [github] = authProviders() as [OAuthConfig<ProviderProfile>];
  const { request } = github.userinfo as UserinfoEndpointHandler &
    Record<'request', (given: object) => Promise<object>>;
  const tokens = { access_token: 'a token' };
  const profile = await request({ provider: github, tokens, client: { userinfo: async () => user } });
  const account = { provider: 'github', type: 'oauth', providerAccountId: String(user.id) } as const;
  const { callbacks } = authOptions({ headers: {}, address: 'here' }, null);
  const person = await github.profile(profile, tokens);
  const answer = await callbacks?.signIn?.({ user: person, account, profile });
  return answer === true ? person.email! : String(answer);
}

let ids = 0;
const someone = (fields: Partial<Person> = {}): Person => ({
  id: ++ids,
  login: 'ada',
  email: null,
  emails: [],
  ...fields,
});
const address = (fields: { primary?: boolean; verified?: boolean } = {}) => ({
  email: `${newId()}@example.com`,
  primary: true,
  verified: true,
  ...fields,
});

test('an invited user opens an account with GitHub by the primary verified address, public or not', async () => {
  const [second, own] = [address({ primary: false }), address()];
  await createInvite({ email: own.email });
  expect(await enter(someone({ emails: [second, own] }))).toBe(own.email);
  expect(await findAccountByEmail(own.email)).toMatchObject({ emailVerifiedAt: expect.any(Date) });
  expect(listed).toHaveBeenCalledWith('https://api.github.com/user/emails', {
    headers: expect.objectContaining({ authorization: 'Bearer a token' }),
    signal: expect.any(AbortSignal),
  });
});

test('an invitation opens no account for a GitHub address that is unverified or not primary', async () => {
  const [own, other] = [address({ verified: false }), address({ primary: false })];
  for (const { email } of [own, other]) await createInvite({ email });
  for (const emails of [[own], [own, other], null])
    expect(await enter(someone({ email: own.email, emails }))).toBe('/sign-in?error=invite_only');
  expect(await enter(someone({ emails: null }))).toBe('/sign-in?error=no_email');
});
