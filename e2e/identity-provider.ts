import { createSign, generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Person {
  sub: string;
  email: string;
  email_verified?: boolean;
  name?: string;
}

/** Claims that replace those of a valid ID token. */
export type Claims = Partial<Record<'iss' | 'aud' | 'nonce', string> & { exp: number }>;

export interface IdentityProvider {
  issuer: string;
  /** Consents as `person` at the provider's URL and returns the URL that the browser is redirected to. */
  agree(authorizeUrl: string, person: Person & Claims): string;
  close(): void;
}

const CLIENT = 'pomona';

/** Starts an OpenID Connect provider on this machine. */
export async function startIdentityProvider(): Promise<IdentityProvider> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const codes = new Map<string, { person: Person & Claims; nonce: string | null }>();
  const server = createServer(async (incoming, outgoing) => {
    let body = '';
    for await (const chunk of incoming) body += String(chunk);
    const answers: Record<string, () => object> = {
      '/.well-known/openid-configuration': () => ({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        id_token_signing_alg_values_supported: ['RS256'],
      }),
      '/jwks': () => ({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'RS256', use: 'sig' }] }),
      '/token': () => tokens(String(new URLSearchParams(body).get('code'))),
    };
    outgoing.setHeader('content-type', 'application/json');
    outgoing.end(JSON.stringify(answers[String(incoming.url)]?.() ?? {}));
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  function tokens(code: string): object {
    const { person, nonce } = codes.get(code) ?? {};
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: issuer, aud: CLIENT, iat: now, exp: now + 60, nonce, ...person };
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const signed = `${part({ alg: 'RS256', kid: 'k' })}.${part(claims)}`;
    const signature = createSign('RSA-SHA256').update(signed).sign(privateKey, 'base64url');
    return { access_token: 'access', token_type: 'Bearer', id_token: `${signed}.${signature}` };
  }

  return {
    issuer,
    agree(authorizeUrl, person) {
      const asked = new URL(authorizeUrl).searchParams;
      const code = String(codes.size);
      codes.set(code, { person, nonce: asked.get('nonce') });
      const back = new URL(String(asked.get('redirect_uri')));
      back.search = String(new URLSearchParams({ code, state: String(asked.get('state')) }));
      return back.href;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
