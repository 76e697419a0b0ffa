import { env } from '#lib/env';
import { SCOPES } from '#lib/scopes';

/** What tokens are for, and nothing else takes them. */
export const resourceOf = (): string => `${env().BASE_URL}/mcp`;

/**
 * A resource that a client names, by the name that it has here, for the library compares letter by letter: capitals in the host
 * and a slash at the end make no other one (MCP, canonical server URI).
 */
export const canonical = (named: string): string =>
  URL.parse(named)?.href.replace(/\/$/, '') === resourceOf() ? resourceOf() : named;

const METADATA_PATH = '/.well-known/oauth-protected-resource/mcp';

/** Tells a client that comes without a token where tokens are from (RFC 9728). */
export const resourceMetadata = () => ({
  resource: resourceOf(),
  resource_name: 'Pomona',
  authorization_servers: [env().BASE_URL],
  scopes_supported: [...SCOPES],
  bearer_methods_supported: ['header'],
  resource_documentation: `${env().BASE_URL}/docs`,
});

/** The `WWW-Authenticate` of an answer that asks for a token. */
export const challenge = (): string =>
  `Bearer resource_metadata="${env().BASE_URL}${METADATA_PATH}", scope="${SCOPES.join(' ')}"`;
