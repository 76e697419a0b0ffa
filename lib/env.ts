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
    .regex(/^\d{1,15}$/, 'a whole number')
    .transform(Number)
    .refine(n => n >= from && n <= to, `a whole number from ${from} to ${to}`);

const origin = z
  .string()
  .refine(
    text => /^https?:\/\//.test(text) && URL.parse(text)?.href === `${URL.parse(text)?.origin}/`,
    'an http or https origin without a path, such as https://pomona.example',
  )
  .transform(text => new URL(text).origin);

/** An address of one of these schemes that leads to a host. */
const address = (schemes: RegExp, expected: string) =>
  z.string().refine(text => schemes.test(text) && Boolean(URL.parse(text)?.hostname), expected);

/** An address that the driver can read: in a socket's no host need stand, and of a password that has a slash it sees a bad port. */
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
 * Every setting of a deployment: its rule, its default and what it means. The README's configuration table is made from
 * this (`npm run docs:env`), and nothing else that is a setting is read from `process.env`.
 */
export const SETTINGS = {
  PORT: { rule: wholeNumber(1, 65535), fallback: '3000', about: 'Port of the web process.' },
  HOST: {
    rule: z.string().min(1),
    fallback: '127.0.0.1',
    about: 'Address it listens on; 0.0.0.0 for every interface, :: for IPv6 as well.',
  },
  BASE_URL: {
    rule: origin,
    fallback: '',
    about: 'Public origin, used in every URL that Pomona hands out. Default: http://localhost:PORT.',
  },
  MEDIA_URL: {
    rule: origin,
    fallback: '',
    about: 'Origin in the addresses of media, to serve them apart from the studio. Default: BASE_URL.',
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
      'What sessions and signed addresses are sealed with; the same for every machine of a deployment. Default: one is made under DATA_DIR.',
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
      'Where media are kept: file:///folder, s3://bucket/prefix?endpoint=…&region=… or gcs://bucket/prefix. Default: a folder under DATA_DIR.',
  },
  MEDIA_DELIVERY: {
    rule: z.enum(['proxy', 'redirect']),
    fallback: '',
    about:
      'Whether clients send and read media through Pomona, or at the bucket with short-lived signed addresses. Default: redirect with a bucket, else proxy.',
  },
  AWS_ACCESS_KEY_ID: { rule: z.string().min(1), fallback: '', about: 'Access key for an s3:// store.' },
  AWS_SECRET_ACCESS_KEY: { rule: z.string().min(1), fallback: '', about: 'Its secret.' },
  AWS_SESSION_TOKEN: {
    rule: z.string().min(1),
    fallback: '',
    about: 'Session token, when the key is a temporary one.',
  },
  AWS_REGION: {
    rule: z.string().regex(/^[a-z0-9-]+$/, 'a region such as eu-central-1'),
    fallback: 'us-east-1',
    about: 'Region of an s3:// store whose address names none.',
  },
  GOOGLE_APPLICATION_CREDENTIALS: {
    rule: z.string().min(1),
    fallback: '',
    about: 'Key file of the service account for a gcs:// store. Default: the account of the machine at Google.',
  },
  ALLOWED_PRIVATE_HOSTS: {
    rule: z
      .string()
      .regex(/^[a-z0-9.:-]+(,[a-z0-9.:-]+)*$/, 'names or addresses in lower case, separated by commas')
      .transform(text => text.split(',')),
    fallback: '',
    about:
      'Hosts of your own network that addresses given by clients may lead to, such as nas.internal,10.0.0.7. Default: only the public internet.',
  },
  DATABASE_URL: {
    rule: postgres,
    fallback: '',
    about: 'External Postgres 15 or later. Default: an embedded one under DATA_DIR.',
  },
  DATABASE_DIRECT_URL: {
    rule: postgres,
    fallback: '',
    about:
      'The same database past a pooler such as PgBouncer in transaction mode, for migrations and notifications. Needed when DATABASE_URL goes through one.',
  },
  DATABASE_POOL: { rule: wholeNumber(2, 500), fallback: '20', about: 'Database connections per process.' },
  CATALOG_DIR: {
    rule: z.string().min(1),
    fallback: 'catalog',
    about: 'Folder with architectures/, workflows/, recipes/ and policy.json.',
  },
  ENGINES_FILE: {
    rule: z.string().min(1),
    fallback: '',
    about: 'File that says which engines there are. Default: engines.json under DATA_DIR.',
  },
  COMFYUI_URL: {
    rule: z
      .string()
      .refine(
        text => text.split(',').every(url => serverUrl.safeParse(url.trim()).success),
        'http addresses of servers, separated by commas, without a user or a query',
      ),
    fallback: '',
    about: 'Address of a ComfyUI, or several separated by commas: an engine without any file.',
  },
  PREVIEW: {
    rule: z.enum(['on', 'unserved', 'off']),
    fallback: 'unserved',
    about:
      'What the preview engine draws: everything, what no engine serves, or nothing. A model that nothing serves is hidden.',
  },
  PREVIEW_PRICE: {
    rule: wholeNumber(1, 1_000_000),
    fallback: '',
    about: "Gems that a preview costs. Default: the model's own price.",
  },
  WEB_CONCURRENCY: {
    rule: wholeNumber(1, 128),
    fallback: '1',
    about: 'Web processes of npm start, all on one port; one for each core that they may have.',
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
    about: 'Seconds without any news from its engine after which a generation is stopped.',
  },
  STARTING_GEMS: { rule: wholeNumber(0, 1_000_000_000), fallback: '1000', about: 'Gems of a new account.' },
  LOG_LEVEL: {
    rule: z.enum(['debug', 'info', 'warn', 'error', 'silent']),
    fallback: 'info',
    about: 'Least severe event that is logged.',
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
      'Who may open an account: anybody, else whom an operator invites; closed tells nobody of invitations. Default: open while only this machine reaches BASE_URL, else invite.',
  },
  TRUST_PROXY: {
    rule: wholeNumber(0, 10),
    fallback: '',
    about:
      'Proxies in front that add to X-Forwarded-For, by which clients are told apart. Default: 1 when BASE_URL is public and HOST is a loopback address, else 0.',
  },
  AUTH_GITHUB_ID: {
    rule: z.string().min(1),
    fallback: '',
    about: 'Client id of a GitHub OAuth app, to sign in with GitHub.',
  },
  AUTH_GITHUB_SECRET: { rule: z.string().min(1), fallback: '', about: 'Its client secret.' },
  AUTH_GOOGLE_ID: {
    rule: z.string().min(1),
    fallback: '',
    about: 'Client id of a Google OAuth app, to sign in with Google.',
  },
  AUTH_GOOGLE_SECRET: { rule: z.string().min(1), fallback: '', about: 'Its client secret.' },
  AUTH_OIDC_ISSUER: {
    rule: address(/^https?:\/\//, 'an http or https address'),
    fallback: '',
    about: 'Issuer of an OpenID Connect provider, to sign in with it.',
  },
  AUTH_OIDC_ID: { rule: z.string().min(1), fallback: '', about: 'Client id there.' },
  AUTH_OIDC_SECRET: { rule: z.string().min(1), fallback: '', about: 'Client secret there.' },
  AUTH_OIDC_NAME: { rule: z.string().min(1), fallback: 'Single sign-on', about: 'What the sign-in page calls it.' },
  SMTP_URL: {
    rule: address(/^smtps?:\/\//, 'an smtp:// or smtps:// address'),
    fallback: '',
    about: 'Mail server for password resets, with user and password. Default: the operator hands out reset links.',
  },
  MAIL_FROM: { rule: z.string().min(3), fallback: 'Pomona <pomona@localhost>', about: 'Sender of its mail.' },
  STRIPE_SECRET_KEY: {
    rule: z.string().min(1),
    fallback: '',
    about:
      'Stripe takes the payments for gems. Default: top-ups are booked on the statement, up to the limit of the account.',
  },
  STRIPE_WEBHOOK_SECRET: {
    rule: z.string().min(1),
    fallback: '',
    about:
      'Signing secret of the Stripe webhook, which goes to BASE_URL/api/payments/stripe with the events payment_intent.succeeded, charge.refunded, refund.failed and all of checkout.session and charge.dispute.',
  },
  STRIPE_URL: { rule: origin, fallback: 'https://api.stripe.com', about: 'Where the Stripe API is.' },
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
    about: 'Currency of that price.',
  },
  RECEIPT_SELLER: {
    rule: z.string().min(1).max(500),
    fallback: '',
    about: 'Who sells the gems, as receipts say it: name, address, tax number.',
  },
  MODERATION_URL: {
    rule: address(/^https?:\/\//, 'an http or https address'),
    fallback: '',
    about:
      'Base address of an OpenAI-compatible moderation API, such as https://api.openai.com/v1. Default: none is asked.',
  },
  MODERATION_KEY: { rule: z.string().min(1), fallback: '', about: 'Bearer token for it, when it wants one.' },
  MODERATION_MODEL: {
    rule: z.string().min(1),
    fallback: 'omni-moderation-latest',
    about: 'Model that is asked there.',
  },
  METRICS_TOKEN: {
    rule: z.string().min(16, 'at least 16 characters'),
    fallback: '',
    about: 'Bearer token for /metrics. Default: /metrics answers only while only this machine reaches BASE_URL.',
  },
  ...limitSettings,
} as const satisfies Record<string, { rule: z.ZodType; fallback: string; about: string }>;

type Settings = typeof SETTINGS;
type Parsed = { -readonly [K in keyof Settings]: z.output<Settings[K]['rule']> };
type Blank = { [K in keyof Settings]: Settings[K]['fallback'] extends '' ? K : never }[keyof Settings];
/** Settings that may be missing, as those are that have neither a default nor one that follows from others. */
type Optional = Exclude<Blank, 'BASE_URL' | 'MEDIA_URL' | 'MEDIA_DELIVERY' | 'SIGN_UP' | 'TRUST_PROXY'>;
export type Env = Omit<Parsed, Optional> & { [K in Optional]: Parsed[K] | undefined };

/** Settings that are of no use without each other. */
const TOGETHER: (keyof Settings)[][] = [
  ['AUTH_GITHUB_ID', 'AUTH_GITHUB_SECRET'],
  ['AUTH_GOOGLE_ID', 'AUTH_GOOGLE_SECRET'],
  ['AUTH_OIDC_ISSUER', 'AUTH_OIDC_ID', 'AUTH_OIDC_SECRET'],
  ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'],
  ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
];

/** Settings whose value is never shown. */
const SECRET = /SECRET|KEY|TOKEN/;

/** A value in a message, without the user and password of each address in it: a password that makes it a bad one has a slash. */
const shown = (text: string): string => JSON.stringify(text.replace(/:\/\/((?!:\/\/).)*@/g, '://…@').slice(0, 80));

const isBucket = (address: string | undefined): boolean => /^(s3|gcs):/.test(address ?? '');

const isLoopback = (host: string): boolean => /^(localhost|\[?::1\]?|127(\.\d+){3})$/.test(host);

/** Whether only this machine reaches the deployment: a loopback HOST alone may have a proxy in front. */
export const isPrivate = ({ BASE_URL, HOST }: Pick<Env, 'BASE_URL' | 'HOST'>): boolean =>
  isLoopback(new URL(BASE_URL).hostname) && isLoopback(HOST);

/** Reads settings. Throws a `StartError` for all bad ones at once, each named with what it may be. */
export function parseEnv(source: Record<string, string | undefined>): Env {
  const parsed: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [name, { rule, fallback }] of Object.entries(SETTINGS)) {
    // an empty variable counts as unset, as compose files and .env templates write it
    const text = source[name] || fallback;
    if (text === '') continue;
    const result = rule.safeParse(text);
    if (result.success) parsed[name] = result.data;
    else problems.push(`${name} must be ${expected(result.error)}${SECRET.test(name) ? '' : `; it is ${shown(text)}`}`);
  }
  if (source.MEDIA_DELIVERY === 'redirect' && !isBucket(source.STORAGE_URL))
    problems.push('MEDIA_DELIVERY can be redirect only with a bucket in STORAGE_URL');
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
  // who listens on loopback only and has a public name is reached through a proxy on this machine
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

/** The settings of this process. The first call reads and checks them. */
export const env = (): Env =>
  singleton('env', () => {
    const parsed = parseEnv(process.env);
    // next-auth looks for the address that it is reached at there, and nowhere else
    process.env.NEXTAUTH_URL = parsed.BASE_URL;
    return parsed;
  });

/** The environment as a child process gets it. */
export const inheritedEnv = (): NodeJS.ProcessEnv => ({ ...process.env });

/** A secret that a file names by its environment variable. */
export const secretVariable = (name: string): string | undefined =>
  // whoever connects an engine may send it anywhere: what is Pomona's own is not theirs
  Object.hasOwn(SETTINGS, name) ? undefined : process.env[name];
