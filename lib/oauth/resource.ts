import { env } from '#lib/env';
import { SCOPES } from '#lib/scopes';

/** Returns the resource identifier of `/mcp`, the only audience of access tokens. */
export const resourceOf = (): string => `${env().BASE_URL}/mcp`;

/**
 * Normalises a resource named by a client, since the library compares strings exactly: upper case in the host and a
 * trailing slash make no difference (MCP specification, canonical server URI).
 */
export const canonical = (named: string): string =>
  URL.parse(named)?.href.replace(/\/$/, '') === resourceOf() ? resourceOf() : named;

const METADATA_PATH = '/.well-known/oauth-protected-resource/mcp';

/** Returns the protected resource metadata, which tells clients where to obtain tokens (RFC 9728). */
export const resourceMetadata = () => ({
  resource: resourceOf(),
  resource_name: 'Pomona',
  authorization_servers: [env().BASE_URL],
  scopes_supported: [...SCOPES],
  bearer_methods_supported: ['header'],
  resource_documentation: `${env().BASE_URL}/docs`,
});

/** Returns the `WWW-Authenticate` header of a response that requires a token. */
export const challenge = (): string =>
  `Bearer resource_metadata="${env().BASE_URL}${METADATA_PATH}", scope="${SCOPES.join(' ')}"`;
