import { createECDH } from 'node:crypto';
import {
  errors,
  Provider,
  type Adapter,
  type Client,
  type ClientMetadata,
  type Configuration,
  type JWKS,
  type KoaContextWithOIDC,
} from 'oidc-provider';
import { env } from '#lib/env';
import { log } from '#lib/log';
import { fetchDocument } from '#lib/oauth/fetch-document';
import { Grants, isLetIn } from '#lib/oauth/grants';
import { Records } from '#lib/oauth/records';
import { canonical, resourceOf } from '#lib/oauth/resource';
import { SCOPES } from '#lib/scopes';
import { secret } from '#lib/secrets';
import { singleton } from '#lib/singleton';

const HOUR = 3_600;
const DAY = 24 * HOUR;

/** Scopes of the protocol, besides those that a user grants. */
const OF_THE_PROTOCOL = ['openid', 'offline_access'];

/** CSP of the library's only page, which posts the response to an app. The library adds the hash of its script. */
const POLICY = `default-src 'none'; script-src; base-uri 'none'; frame-ancestors 'none'`;

/** Returns the OAuth 2.1 authorization server of this deployment, which issues the access tokens for `/mcp`. */
export const authorizationServer = (): Provider =>
  singleton('oauth.server', () => {
    const server = new Provider(env().BASE_URL, configuration());
    server.use((context, next) => {
      context.set('content-security-policy', POLICY);
      const { resource } = context.query;
      if (resource) context.query = { ...context.query, resource: [resource].flat().map(canonical) };
      return next();
    });
    server.on('server_error', (_context, error) => log().error({ err: error }, 'authorization server failed'));
    server.on('authorization.error', keepHere);
    return server;
  });

const configuration = (): Configuration => ({
  adapter,
  jwks: signingKeys(),
  cookies: { keys: [secret('oauth cookies').toString('base64url')] },
  routes: {
    authorization: '/oauth/authorize',
    token: '/oauth/token',
    registration: '/oauth/register',
    revocation: '/oauth/revoke',
    jwks: '/oauth/jwks',
  },
  interactions: { url: (_context, { uid }) => `/oauth/consent/${uid}` },
  findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  renderError: (context, { error }) => context.redirect(`/oauth/consent/refused?reason=${encodeURIComponent(error)}`),
  // clients are programs on users' machines or other sites, registered by anyone: a client secret would prove nothing
  clientAuthMethods: ['none'],
  clientDefaults: {
    application_type: 'native',
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    id_token_signed_response_alg: 'ES256',
  },
  extraClientMetadata: {
    properties: ['redirect_uris', 'scope', 'token_endpoint_auth_method'],
    validator: readMetadata,
  },
  responseTypes: ['code'],
  pkce: { required: () => true },
  scopes: [...OF_THE_PROTOCOL, ...SCOPES],
  extraParams: { scope: askForSomething },
  issueRefreshToken: () => true,
  rotateRefreshToken: true,
  expiresWithSession: () => false,
  clientBasedCORS: () => false,
  fetch: fetchDocument,
  ttl: {
    AccessToken: HOUR,
    AuthorizationCode: 60,
    IdToken: HOUR,
    Interaction: HOUR,
    RefreshToken: 90 * DAY,
    Session: HOUR,
  },
  features: {
    devInteractions: { enabled: false },
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    userinfo: { enabled: false },
    // by default the library generates a secret for clients that do not ask for one, before it knows that none is used
    registration: { enabled: true, issueRegistrationAccessToken: false, secretFactory: () => undefined as never },
    revocation: { enabled: true, allowedPolicy: (_context, client, token) => token.clientId === client.clientId },
    clientIdMetadataDocument: { enabled: true, ack: 'draft-02', allowFetch: mayFetch },
    resourceIndicators: {
      enabled: true,
      defaultResource: resourceOf,
      getResourceServerInfo: (_context, resource) => {
        if (resource !== resourceOf()) throw new errors.InvalidTarget();
        return { scope: SCOPES.join(' '), accessTokenFormat: 'opaque' };
      },
    },
  },
});

/** Sessions are not stored, so that every question goes to the account signed in to Pomona at the time. */
const adapter = (model: string): Adapter =>
  model === 'Grant' ? new Grants() : model === 'Session' ? new NoSessions(model) : new Records(model);

class NoSessions extends Records {
  override upsert = async (): Promise<void> => {};
  override find = async (): Promise<undefined> => undefined;
}

/** Validates and reduces the metadata of an app. */
function readMetadata(_context: unknown, name: string, value: unknown, metadata: ClientMetadata): void {
  if (name === 'redirect_uris') return requireSafeReturn(value);
  if (typeof value !== 'string') return;
  if (name === 'token_endpoint_auth_method') {
    // many apps ask for a secret by default; the answer tells them that there is none (RFC 7591, 3.2.1)
    if (/^client_secret_(basic|post)$/.test(value)) metadata.token_endpoint_auth_method = 'none';
    return;
  }
  // unknown scopes are ignored, as in requests; an app that registers only unknown ones would always be refused
  const words = value.split(' ').filter(word => [...OF_THE_PROTOCOL, ...SCOPES].includes(word));
  if (isNamed(value)) metadata.scope = words.join(' ');
  else delete metadata.scope;
}

/** Requires redirect URIs on the user's own machine or with TLS, whatever type of client the app claims to be. */
function requireSafeReturn(uris: unknown): void {
  for (const uri of Array.isArray(uris) ? uris : []) {
    // the library refuses values that are not strings; `URL.parse` would throw on a deeply nested array
    const { protocol, hostname } = (typeof uri === 'string' && URL.parse(uri)) || {};
    if (protocol === 'http:' && !/^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname ?? ''))
      throw new errors.InvalidClientMetadata('redirect_uris must use https, or http on the machine of the client');
  }
}

/**
 * Shows an error here instead of at another site, as long as nobody has been asked: anyone can register a site, so a
 * link to this server could lead anywhere (RFC 9700, 4.11.2). The library reads `allow_redirect` after this event.
 */
function keepHere({ oidc }: KoaContextWithOIDC, error: errors.OIDCProviderError): void {
  const { protocol } = URL.parse(String(oidc.params?.redirect_uri)) ?? {};
  if (oidc.route === 'authorization' && protocol === 'https:') error.allow_redirect = false;
}

/** Whether the text contains a scope that a user could grant. */
const isNamed = (words = ''): boolean => SCOPES.some(one => words.split(' ').includes(one));

/** Completes a request without a scope that a user could grant: with the app's registered scopes, or with all. */
function askForSomething({ oidc }: KoaContextWithOIDC, scope = '', client: Client): void {
  if (isNamed(scope)) return;
  const all = isNamed(client.scope) ? client.scope : SCOPES.join(' ');
  oidc.params!.scope = `${scope} ${all}`.trim();
}

/** Whether to fetch an app's document. The token and revocation routes, not rate limited, require a grant for that. */
const mayFetch = async (context: KoaContextWithOIDC | undefined, clientId: string): Promise<boolean> =>
  !['token', 'revocation'].includes(context?.oidc.route ?? '') || (await isLetIn(clientId));

/** Derives the library's signing key, the same in every process. */
function signingKeys(): JWKS {
  const curve = createECDH('prime256v1');
  const d = secret('oauth signing');
  curve.setPrivateKey(d);
  const point = curve.getPublicKey();
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map(part => part.toString('base64url'));
  return { keys: [{ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', d: d.toString('base64url'), x: x!, y: y! }] };
}
