import { resolve } from 'node:path';
import { z } from 'zod';
import { LIMITS, type LimitName } from '#lib/limits';
import { singleton } from '#lib/singleton';
import { serverUrl } from '#lib/server-url';
import { StartError } from '#lib/start-error';
import { parseStorageUrl } from '#lib/storage-url';

const wholeNumber = (from: number, to: number) =>
  z
    .string()
    .refine(
      text => /^\d{1,15}$/.test(text) && Number(text) >= from && Number(text) <= to,
      `a whole number from ${from} to ${to}`,
    )
    .transform(Number);

const origin = z
  .string()
  .refine(
    text => /^https?:\/\//.test(text) && URL.parse(text)?.href === `${URL.parse(text)?.origin}/`,
    'an http or https origin without a path, such as https://pomona.example',
  )
  .transform(text => new URL(text).origin);

/** A URL with one of these schemes and a host. */
const address = (schemes: RegExp, expected: string) =>
  z.string().refine(text => schemes.test(text) && Boolean(URL.parse(text)?.hostname), expected);

/** A URL that the driver can parse. It may lack a host (a socket); an unescaped slash in the password is refused. */
const postgres = z
  .string()
  .refine(
    text => /^postgres(ql)?:\/\//.test(text) && URL.canParse(text.replace('@/', '@socket/')),
    'a postgres:// address, in whose password / ? # and @ are written %2F %3F %23 and %40',
  );

const limitSettings = Object.fromEntries(
  Object.entries(LIMITS).map(([name, { fallback, about }]) => [
    name,
    { rule: wholeNumber(1, 999_999_999_999_999), fallback: String(fallback), about },
  ]),
) as Record<LimitName, { rule: ReturnType<typeof wholeNumber>; fallback: string; about: string }>;

/**
 * Every setting of a deployment: its rule, its default and its description. The README's configuration table is
 * generated from this (`npm run docs:env`); no other setting is read from `process.env`.
 */
export const SETTINGS = {
  PORT: { rule: wholeNumber(1, 65535), fallback: '3000', about: 'Port of the web process.' },
  HOST: {
    rule: z.string().min(1),
    fallback: '127.0.0.1',
    about: 'Address to listen on: 0.0.0.0 for every IPv4 interface, :: for IPv6 as well.',
  },
  BASE_URL: {
    rule: origin,
    fallback: '',
    about: 'Public origin, used in every URL that Pomona hands out. Default: http://localhost:PORT.',
  },
  MEDIA_URL: {
    rule: origin,
    fallback: '',
    about: 'Origin of media URLs, to serve media from another origin than the studio. Default: BASE_URL.',
  },
  DATA_DIR: {
    rule: z.string().min(1),
    fallback: '.pomona',
    about: 'Folder for the embedded database, media and the secret key.',
  },
  SECRET_KEY: {
    rule: z.string().min(32, 'at least 32 characters'),
    fallback: '',
    about:
      'Key that seals sessions and signed addresses. Every machine of a deployment needs the same. Default: one is generated under DATA_DIR.',
  },
  STORAGE_URL: {
    rule: z.string().transform((text, context) => {
      try {
        parseStorageUrl(text);
      } catch (error) {
        context.addIssue((error as Error).message);
      }
      return text;
    }),
    fallback: '',
    about:
      'Where media are stored: file:///folder, s3://bucket/prefix?endpoint=…&region=… or gcs://bucket/prefix. Default: a folder under DATA_DIR.',
  },
  MEDIA_DELIVERY: {
    rule: z.enum(['proxy', 'redirect']),
    fallback: '',
    about:
      'Whether clients send and read media through Pomona (proxy) or directly at the bucket with short-lived signed addresses (redirect). Default: redirect with a bucket, else proxy.',
  },
  AWS_ACCESS_KEY_ID: { rule: z.string().min(1), fallback: '', about: 'Access key for an s3:// store.' },
  AWS_SECRET_ACCESS_KEY: { rule: z.string().min(1), fallback: '', about: 'Secret of that access key.' },
  AWS_SESSION_TOKEN: {
    rule: z.string().min(1),
    fallback: '',
    about: 'Session token, if the access key is a temporary one.',
  },
  AWS_REGION: {
    rule: z.string().regex(/^[a-z0-9-]+$/, 'a region such as eu-central-1'),
    fallback: 'us-east-1',
    about: 'Region of an s3:// store whose address does not name one.',
  },
  GOOGLE_APPLICATION_CREDENTIALS: {
    rule: z.string().min(1),
    fallback: '',
    about: 'Key file of the service account for a gcs:// store. Default: the service account of the Google machine.',
  },
  ALLOWED_PRIVATE_HOSTS: {
    rule: z
      .string()
      .regex(/^[a-z0-9.:-]+(, *[a-z0-9.:-]+)*$/, 'names or addresses in lower case, separated by commas')
      .transform(text => text.split(/, */)),
    fallback: '',
    about:
      'Hosts of your private network that addresses given by clients may lead to, such as nas.internal,10.0.0.7. Default: only the public internet.',
  },
  DATABASE_URL: {
    rule: postgres,
    fallback: '',
    about: 'Address of an external Postgres 15 or later. Default: an embedded one under DATA_DIR.',
  },
  DATABASE_DIRECT_URL: {
    rule: postgres,
    fallback: '',
    about:
      'Direct address of the same database, for migrations and notifications. Required when DATABASE_URL goes through a pooler such as PgBouncer in transaction mode.',
  },
  DATABASE_POOL: { rule: wholeNumber(2, 500), fallback: '20', about: 'Database connections per process.' },
  CATALOG_DIR: {
    rule: z.string().min(1),
    fallback: 'catalog',
    about: 'Folder that contains architectures/, workflows/, recipes/ and policy.json.',
  },
  ENGINES_FILE: {
    rule: z.string().min(1),
    fallback: '',
    about: 'File that defines the engines. Default: engines.json under DATA_DIR.',
  },
  COMFYUI_URL: {
    rule: z
      .string()
      .refine(
        text => text.split(',').every(url => serverUrl.safeParse(url.trim()).success),
        'http addresses of servers, separated by commas, without a user or a query',
      ),
    fallback: '',
    about: 'Address of a ComfyUI, or several separated by commas: defines an engine without any file.',
  },
  PREVIEW: {
    rule: z.enum(['on', 'unserved', 'off']),
    fallback: 'unserved',
    about:
      'What the preview engine draws: everything (on), what no engine serves (unserved) or nothing (off). A model that nothing serves is hidden.',
  },
  PREVIEW_PRICE: {
    rule: wholeNumber(1, 1_000_000),
    fallback: '',
    about: "Price of a preview in gems. Default: the model's own price.",
  },
  WEB_CONCURRENCY: {
    rule: wholeNumber(1, 128),
    fallback: '1',
    about: 'Web processes that npm start runs, all on one port; use one for each core that they may have.',
  },
  WORKER: { rule: z.enum(['on', 'off']), fallback: 'on', about: 'Whether npm start also runs a worker process.' },
  WORKER_CONCURRENCY: {
    rule: wholeNumber(1, 64),
    fallback: '2',
    about: 'Generations that the built-in engine runs at a time in one worker process.',
  },
  STALL_SECONDS: {
    rule: wholeNumber(5, 86_400),
    fallback: '900',
    about: 'Seconds without news from the engine after which a generation is stopped.',
  },
  STARTING_GEMS: {
    rule: wholeNumber(0, 1_000_000_000),
    fallback: '1000',
    about: 'Gems that a new account starts with.',
  },
  LOG_LEVEL: {
    rule: z.enum(['debug', 'info', 'warn', 'error', 'silent']),
    fallback: 'info',
    about: 'Lowest severity that is logged.',
  },
  CHECK_RESPONSES: {
    rule: z.enum(['on', 'off']),
    fallback: 'off',
    about: 'Checks every answer of /v1 against the contract, for development and tests.',
  },
  SIGN_UP: {
    rule: z.enum(['open', 'invite', 'closed']),
    fallback: '',
    about:
      'Who may open an account: anybody (open) or people whom an operator invites (invite, or closed, which hides that there are invitations). Default: open if only this machine can reach BASE_URL, else invite.',
  },
  TRUST_PROXY: {
    rule: wholeNumber(0, 10),
    fallback: '',
    about:
      'Number of proxies in front that add to X-Forwarded-For, which tells clients apart. Default: 1 when BASE_URL is public and HOST is a loopback address, else 0.',
  },
  AUTH_GITHUB_ID: {
    rule: z.string().min(1),
    fallback: '',
    about: 'Client id of a GitHub OAuth app, for signing in with GitHub.',
  },
  AUTH_GITHUB_SECRET: { rule: z.string().min(1), fallback: '', about: 'Client secret of the GitHub app.' },
  AUTH_GOOGLE_ID: {
    rule: z.string().min(1),
    fallback: '',
    about: 'Client id of a Google OAuth app, for signing in with Google.',
  },
  AUTH_GOOGLE_SECRET: { rule: z.string().min(1), fallback: '', about: 'Client secret of the Google app.' },
  AUTH_OIDC_ISSUER: {
    rule: address(/^https?:\/\//, 'an http or https address'),
    fallback: '',
    about: 'Issuer of an OpenID Connect provider, for signing in with it.',
  },
  AUTH_OIDC_ID: { rule: z.string().min(1), fallback: '', about: 'Client id at the OpenID Connect provider.' },
  AUTH_OIDC_SECRET: { rule: z.string().min(1), fallback: '', about: 'Client secret at the OpenID Connect provider.' },
  AUTH_OIDC_NAME: {
    rule: z.string().min(1),
    fallback: 'Single sign-on',
    about: 'Name of the OpenID Connect provider on the sign-in page.',
  },
  SMTP_URL: {
    rule: address(/^smtps?:\/\//, 'an smtp:// or smtps:// address'),
    fallback: '',
    about:
      'Mail server, with user and password, for sign-ups, password resets and notices to account holders. Default: no mail; operators hand out reset links.',
  },
  MAIL_FROM: {
    rule: z.string().regex(/\S@\S/, 'an address such as Pomona <pomona@example.com>'),
    fallback: 'Pomona <pomona@localhost>',
    about: 'Sender of the mail.',
  },
  STRIPE_SECRET_KEY: {
    rule: z.string().min(1),
    fallback: '',
    about:
      'Secret key of Stripe, which takes the payments for gems. Default: top-ups are booked on the statement, up to the limit of the account.',
  },
  STRIPE_WEBHOOK_SECRET: {
    rule: z.string().min(1),
    fallback: '',
    about:
      'Signing secret of the Stripe webhook. Have it call BASE_URL/api/payments/stripe with the events payment_intent.succeeded, charge.refunded, refund.failed and all of checkout.session and charge.dispute.',
  },
  STRIPE_URL: { rule: origin, fallback: 'https://api.stripe.com', about: 'Address of the Stripe API.' },
  GEM_PRICE: {
    rule: z
      .string()
      .regex(/^\d{1,6}(\.\d{1,6})?$/, 'a decimal number')
      .transform(Number)
      .refine(price => price > 0, 'above 0'),
    fallback: '1',
    about: 'Price of a gem at Stripe in the smallest unit of the currency, such as cents; decimals are allowed.',
  },
  GEM_CURRENCY: {
    rule: z.string().regex(/^[a-z]{3}$/, 'an ISO 4217 code in lower case, such as usd'),
    fallback: 'usd',
    about: 'Currency of GEM_PRICE.',
  },
  RECEIPT_SELLER: {
    rule: z.string().max(500, 'at most 500 characters'),
    fallback: '',
    about: 'Seller of the gems as shown on receipts: name, address, tax number.',
  },
  MODERATION_URL: {
    rule: address(/^https?:\/\//, 'an http or https address'),
    fallback: '',
    about:
      'Base address of an OpenAI-compatible moderation API, such as https://api.openai.com/v1. Default: no such check.',
  },
  MODERATION_KEY: {
    rule: z.string().min(1),
    fallback: '',
    about: 'Bearer token for the moderation API, if it needs one.',
  },
  MODERATION_MODEL: {
    rule: z.string().min(1),
    fallback: 'omni-moderation-latest',
    about: 'Model of the moderation API.',
  },
  METRICS_TOKEN: {
    rule: z.string().min(16, 'at least 16 characters'),
    fallback: '',
    about:
      'Bearer token for /metrics. Default: none; /metrics then answers only if only this machine can reach BASE_URL.',
  },
  ...limitSettings,
} as const satisfies Record<string, { rule: z.ZodType; fallback: string; about: string }>;

type Settings = typeof SETTINGS;
type Parsed = { -readonly [K in keyof Settings]: z.output<Settings[K]['rule']> };
type Blank = { [K in keyof Settings]: Settings[K]['fallback'] extends '' ? K : never }[keyof Settings];
/** Settings that may be undefined: they have no default, and none is derived from other settings. */
type Optional = Exclude<Blank, 'BASE_URL' | 'MEDIA_URL' | 'MEDIA_DELIVERY' | 'SIGN_UP' | 'TRUST_PROXY'>;
export type Env = Omit<Parsed, Optional> & { [K in Optional]: Parsed[K] | undefined };

/** Groups of settings that must be set together. */
const TOGETHER: (keyof Settings)[][] = [
  ['AUTH_GITHUB_ID', 'AUTH_GITHUB_SECRET'],
  ['AUTH_GOOGLE_ID', 'AUTH_GOOGLE_SECRET'],
  ['AUTH_OIDC_ISSUER', 'AUTH_OIDC_ID', 'AUTH_OIDC_SECRET'],
  ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'],
  ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
];

/** Names of settings whose value is never shown; limits of keys are numbers. */
const SECRET = /SECRET|KEY(?!S)|TOKEN/;

/** Formats a value for a message, without the credentials of its URLs, even of one made invalid by a slash in them. */
const shown = (text: string): string => JSON.stringify(text.replace(/:\/\/((?!:\/\/).)*@/g, '://…@').slice(0, 80));

const isBucket = (address: string | undefined): boolean => /^(s3|gcs):/.test(address ?? '');

const isLoopback = (host: string): boolean => /^(localhost|\[?::1\]?|127(\.\d+){3})$/.test(host);

/** Whether only this machine can reach the deployment. A loopback HOST is not enough: a proxy may be in front. */
export const isPrivate = ({ BASE_URL, HOST }: Pick<Env, 'BASE_URL' | 'HOST'>): boolean =>
  isLoopback(new URL(BASE_URL).hostname) && isLoopback(HOST);

/** Parses the settings. Throws one `StartError` that lists every invalid setting and its allowed values. */
export function parseEnv(source: Record<string, string | undefined>): Env {
  const parsed: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [name, { rule, fallback }] of Object.entries(SETTINGS)) {
    // an empty variable counts as unset: compose files and .env templates write it this way
    const text = source[name] || fallback;
    if (text === '') continue;
    const result = rule.safeParse(text);
    if (result.success) parsed[name] = result.data;
    else problems.push(`${name} must be ${expected(result.error)}${SECRET.test(name) ? '' : `; it is ${shown(text)}`}`);
  }
  if (source.MEDIA_DELIVERY === 'redirect' && !isBucket(source.STORAGE_URL))
    problems.push('MEDIA_DELIVERY can be redirect only with a bucket in STORAGE_URL');
  if (source.DATABASE_DIRECT_URL && !source.DATABASE_URL)
    problems.push('DATABASE_URL must be set too: DATABASE_DIRECT_URL is only another way to the same database');
  for (const names of TOGETHER) {
    const missing = names.filter(name => !source[name]);
    if (missing.length && missing.length < names.length)
      problems.push(`${missing.join(' and ')} must be set too: ${names.join(', ')} belong together`);
  }
  if (problems.length) throw new StartError(problems.join('\n'));
  const env = parsed as Env;
  env.BASE_URL ??= `http://localhost:${env.PORT}`;
  env.MEDIA_URL ??= env.BASE_URL;
  env.MEDIA_DELIVERY ??= isBucket(env.STORAGE_URL) ? 'redirect' : 'proxy';
  env.SIGN_UP ??= isPrivate(env) ? 'open' : 'invite';
  // a deployment with a public name that listens only on loopback is reached through a proxy on this machine
  env.TRUST_PROXY ??= !isPrivate(env) && isLoopback(env.HOST) ? 1 : 0;
  env.DATA_DIR = resolve(/* turbopackIgnore: true */ env.DATA_DIR);
  env.CATALOG_DIR = resolve(/* turbopackIgnore: true */ env.CATALOG_DIR);
  return env;
}

function expected(error: z.ZodError): string {
  const issue = error.issues[0];
  if (issue?.code === 'invalid_value') return `one of ${issue.values.join(', ')}`;
  return issue?.message ?? 'valid';
}

/** Returns the settings of this process. The first call parses and checks them. */
export const env = (): Env =>
  singleton('env', () => {
    const parsed = parseEnv(process.env);
    // next-auth reads its public address from this variable only
    process.env.NEXTAUTH_URL = parsed.BASE_URL;
    return parsed;
  });

/** Returns a copy of the environment for a child process. */
export const inheritedEnv = (): NodeJS.ProcessEnv => ({ ...process.env });

/** Returns the secret in an environment variable that a file refers to by name. */
export const secretVariable = (name: string): string | undefined =>
  // Pomona's own settings are excluded: an operator who connects an engine can send the secret to any server
  Object.hasOwn(SETTINGS, name) ? undefined : process.env[name];
