import { createPrivateKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request } from 'undici';
import { z } from 'zod';
import { hasCode, messageOf } from '#lib/errors';
import { StartError } from '#lib/start-error';
import { faultOf } from '#lib/storage/bucket-answer';
import { retryingAgent } from '#lib/storage/retrying-agent';

/** Service account with which this deployment makes and signs requests. */
export interface GoogleCredentials {
  email(): Promise<string>;
  /** Returns a bearer token that is valid for at least a few more minutes. */
  token(): Promise<string>;
  /** Signs a text with RSA-SHA256 and a key of the account. */
  sign(text: string): Promise<Buffer>;
}

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
const METADATA = 'http://metadata.google.internal';
const IAM = 'https://iamcredentials.googleapis.com';
/** Seconds before its expiry in which a token is no longer used. */
const MARGIN_S = 300;

const keyFile = z.object({
  type: z.literal('service_account'),
  client_email: z.string(),
  private_key: z.string().refine(isPrivateKey),
  private_key_id: z.string(),
  token_uri: z.url(),
});
const granted = z.object({ access_token: z.string(), expires_in: z.number() });

/** Credentials from a service account's key file. */
export function credentialsOfKeyFile(path: string): GoogleCredentials {
  const { client_email, private_key, private_key_id, token_uri } = readKeyFile(path);
  return {
    email: async () => client_email,
    token: tokens(async () => {
      const now = Math.floor(Date.now() / 1000);
      const head = { alg: 'RS256', typ: 'JWT', kid: private_key_id };
      const claims = { iss: client_email, scope: SCOPE, aud: token_uri, iat: now, exp: now + 3600 };
      const unsigned = [head, claims].map(part => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
      const assertion = `${unsigned}.${sign('RSA-SHA256', Buffer.from(unsigned), private_key).toString('base64url')}`;
      const form = new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion });
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      return ask(token_uri, { method: 'POST', headers, body: form.toString() });
    }),
    sign: async text => sign('RSA-SHA256', Buffer.from(text), private_key),
  };
}

function readKeyFile(path: string): z.infer<typeof keyFile> {
  try {
    return keyFile.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (cause) {
    throw new StartError(
      `GOOGLE_APPLICATION_CREDENTIALS must name the JSON key file of a service account, which ${path} is not: ${whyNot(cause)}`,
      { cause },
    );
  }
}

/** Says why a key file is invalid, without quoting its contents. */
function whyNot(cause: unknown): string {
  if (cause instanceof SyntaxError) return 'it is no JSON';
  if (!(cause instanceof z.ZodError)) return (cause as Error).message;
  return `its ${cause.issues.map(({ path }) => path.join('.') || 'whole').join(', ')} cannot be used`;
}

function isPrivateKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).type === 'private';
  } catch {
    return false;
  }
}

/** Credentials of the Google machine this runs on. Its key is not accessible, so IAM is asked for each signature. */
export function credentialsOfMachine(metadata = METADATA, iam = IAM): GoogleCredentials {
  const account = `${metadata}/computeMetadata/v1/instance/service-accounts/default`;
  const headers = { 'metadata-flavor': 'Google' };
  const email = once(async () => (await send(`${account}/email`, { headers }).catch(tellElsewhere)).text());
  const token = tokens(() => ask(`${account}/token`, { headers }).catch(tellElsewhere));
  return {
    email,
    token,
    async sign(text) {
      const answer = await send(`${iam}/v1/projects/-/serviceAccounts/${await email()}:signBlob`, {
        method: 'POST',
        headers: { authorization: `Bearer ${await token()}`, 'content-type': 'application/json' },
        body: JSON.stringify({ payload: Buffer.from(text).toString('base64') }),
      });
      return Buffer.from(z.object({ signedBlob: z.string() }).parse(await answer.json()).signedBlob, 'base64');
    },
  };
}

/** Throws what to set when the name of the metadata server is unknown, as it is on any machine that is not Google's. */
function tellElsewhere(cause: unknown): never {
  if (!hasCode(cause, 'ENOTFOUND')) throw cause;
  throw new StartError(
    `GOOGLE_APPLICATION_CREDENTIALS must name the key file of a service account: this machine has none of its own (${messageOf(cause)}).`,
    { cause },
  );
}

type Grant = z.infer<typeof granted>;
type Options = { method?: 'POST'; headers: Record<string, string>; body?: string };

const ask = async (url: string, options: Options): Promise<Grant> =>
  granted.parse(await (await send(url, options)).json());

async function send(url: string, options: Options) {
  const answer = await request(url, { ...options, dispatcher: retryingAgent() });
  if (answer.statusCode === 200) return answer.body;
  const { statusCode, body } = answer;
  throw faultOf(statusCode, `Google answered ${statusCode} to ${new URL(url).host}: ${await body.text()}`);
}

/** Caches a token until shortly before it expires; concurrent calls share one request. */
function tokens(grant: () => Promise<Grant>): () => Promise<string> {
  let current: { token: Promise<Grant>; until: number } | null = null;
  return async () => {
    if (!current || Date.now() > current.until) {
      const asked = { token: grant(), until: Infinity };
      current = asked;
      asked.token.then(
        ({ expires_in }) => (asked.until = Date.now() + (expires_in - MARGIN_S) * 1000),
        () => (current = null),
      );
    }
    return (await current.token).access_token;
  };
}

/** Caches the first successful result; failures are retried by the next call. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => (made ??= make().catch(error => ((made = null), Promise.reject(error))));
}
