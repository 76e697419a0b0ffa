import type { OAuthConfig } from 'next-auth/providers/oauth';
import type { Identity } from '#lib/accounts/identities';
import { env } from '#lib/env';

interface GitHubAddress {
  email: string;
  primary: boolean;
  verified: boolean;
}

type ProviderId = Identity['provider'];

/** User info of the providers. */
export interface ProviderProfile {
  /** User id at an OpenID Connect provider. */
  sub?: string;
  /** User id at GitHub. */
  id?: number;
  login?: string;
  name?: string | null;
  email?: string | null;
  email_verified?: boolean;
}

/** Returns the providers configured for this deployment, with their names for the sign-in page. */
export function signInProviders(): { id: ProviderId; name: string }[] {
  return authProviders().map(({ id, name }) => ({ id: id as ProviderId, name }));
}

/** Returns the providers configured for this deployment, in the form that next-auth takes. */
export function authProviders(): OAuthConfig<ProviderProfile>[] {
  const { AUTH_GITHUB_ID, AUTH_GITHUB_SECRET, AUTH_GOOGLE_ID, AUTH_GOOGLE_SECRET } = env();
  const { AUTH_OIDC_ISSUER, AUTH_OIDC_ID, AUTH_OIDC_SECRET, AUTH_OIDC_NAME } = env();
  const providers: OAuthConfig<ProviderProfile>[] = [];
  if (AUTH_GITHUB_ID && AUTH_GITHUB_SECRET) providers.push(gitHub(AUTH_GITHUB_ID, AUTH_GITHUB_SECRET));
  if (AUTH_GOOGLE_ID && AUTH_GOOGLE_SECRET) {
    providers.push(openId('google', 'Google', 'https://accounts.google.com', AUTH_GOOGLE_ID, AUTH_GOOGLE_SECRET));
  }
  if (AUTH_OIDC_ISSUER && AUTH_OIDC_ID && AUTH_OIDC_SECRET) {
    providers.push(openId('oidc', AUTH_OIDC_NAME, AUTH_OIDC_ISSUER, AUTH_OIDC_ID, AUTH_OIDC_SECRET));
  }
  return providers;
}

const openId = (
  id: ProviderId,
  name: string,
  issuer: string,
  clientId: string,
  clientSecret: string,
): OAuthConfig<ProviderProfile> => ({
  id,
  name,
  type: 'oauth',
  wellKnown: `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
  authorization: { params: { scope: 'openid email profile' } },
  idToken: true,
  checks: ['pkce', 'state', 'nonce'],
  clientId,
  clientSecret,
  profile: ({ sub, name, email }) => ({ id: String(sub), name: name ?? null, email: email ?? null }),
});

const GITHUB_API = 'https://api.github.com';

const gitHub = (clientId: string, clientSecret: string): OAuthConfig<ProviderProfile> => ({
  id: 'github',
  name: 'GitHub',
  type: 'oauth',
  authorization: { url: 'https://github.com/login/oauth/authorize', params: { scope: 'read:user user:email' } },
  token: 'https://github.com/login/oauth/access_token',
  userinfo: {
    url: `${GITHUB_API}/user`,
    request: async ({ client, tokens: { access_token: token = '' } }) =>
      withAddress(await client.userinfo(token), token),
  },
  clientId,
  clientSecret,
  profile: ({ id, name, login, email }) => ({ id: String(id), name: name ?? login ?? null, email: email ?? null }),
});

/** Adds the verified primary e-mail address. GitHub's user info has only a public one, and not if it is verified. */
async function withAddress<User extends object>(user: User, token: string): Promise<User> {
  const headers = { accept: 'application/json', authorization: `Bearer ${token}`, 'user-agent': 'Pomona' };
  const answer = await fetch(`${GITHUB_API}/user/emails`, { headers, signal: AbortSignal.timeout(5_000) });
  // a known identity can sign in without an e-mail address
  const emails = answer.ok ? ((await answer.json()) as GitHubAddress[]) : [];
  const own = emails.find(({ primary, verified }) => primary && verified);
  return own ? { ...user, email: own.email, email_verified: true } : user;
}
