import type { EngineEntryWire } from '#lib/contract/engine-schemas';
import { readEnginesFile, type EngineEntry, type Secret, type ServerEntry } from '#lib/engines/engines-file';
import type { EngineServer } from '#lib/engines/engine';
import { seal, unseal } from '#lib/engines/sealed';
import { AppError, invalid, type Issue } from '#lib/errors';
import { placeOf } from '#lib/issue';
import { revisionOf } from '#lib/operator/revision';

/** An entry of engines.json, unparsed. */
export interface RawEntry {
  id: string;
  type?: unknown;
  paused?: unknown;
  servers?: (Omit<ServerEntry, 'places'> & { places?: number })[];
  /** Options specific to the engine type. */
  [option: string]: unknown;
}

/** Parses the entries of engines.json. Throws `invalid_request` when the text is not valid JSON. */
export function entriesOf(text: string | null | undefined): RawEntry[] {
  if (!text) return [];
  try {
    return (JSON.parse(text) as { engines?: RawEntry[] }).engines ?? [];
  } catch (cause) {
    throw new AppError(
      'invalid_request',
      'engines.json cannot be read as JSON. Correct the file first.',
      {},
      { cause },
    );
  }
}

/** Converts an engine defined by the settings to an entry of the file. */
export const rawOf = ({ id, type, servers, options }: EngineEntry): RawEntry => ({ id, type, servers, ...options });

/** Converts an entry to the form that an operator sees, without secrets. */
export function toEntryWire(raw: RawEntry): EngineEntryWire {
  const { id, type, paused, servers = [], ...options } = raw;
  return {
    id,
    type: String(type),
    paused: paused === true,
    servers: servers.map(({ id, url, secret, places }) => ({
      id,
      url,
      secret: secret ? ('env' in secret ? secret : { kept: true as const }) : null,
      places: places ?? null,
    })),
    options,
    // `paused` is changed separately, so it does not affect the revision
    revision: revisionOf({ ...raw, paused: undefined }),
  };
}

/**
 * Converts an entry from the form that an operator filled in and seals its secrets; kept secrets are taken from
 * `known`. Throws `invalid_request` with all issues.
 */
export function fromEntryWire(
  { id, type, paused, servers, options }: EngineEntryWire,
  known?: RawEntry,
): { raw: RawEntry; entry: EngineEntry } {
  const issues: Issue[] = [];
  const raw: RawEntry = {
    id,
    type,
    ...(paused && { paused }),
    servers: servers.map(({ id, url, secret, places }, at) => {
      const sealed = secret && sealedOf(secret, url, id, known);
      if (sealed === undefined)
        issues.push({
          path: `/servers/${at}/secret`,
          message: 'The secret was kept for another address. Enter it again.',
        });
      return { id, url, ...(sealed && { secret: sealed }), ...(places !== null && { places }) };
    }),
    ...options,
  };
  const checked = readEnginesFile(JSON.stringify({ engines: [raw] }));
  issues.push(...checked.issues.map(toIssue));
  const [entry] = checked.engines ?? [];
  if (issues.length || !entry) throw invalid('invalid_request', issues);
  return { raw, entry };
}

type GivenSecret = NonNullable<EngineEntryWire['servers'][number]['secret']>;

/** Seals a secret. Returns undefined for a kept secret of another origin, which must be entered again. */
export function sealedOf(secret: GivenSecret, url: string, id: string | null, known?: RawEntry): Secret | undefined {
  if ('value' in secret) return { sealed: seal(secret.value) };
  if ('env' in secret) return secret;
  const same = known?.servers?.filter(server => originOf(server.url) === originOf(url)) ?? [];
  return (same.find(server => server.id === id) ?? same[0])?.secret;
}

/** Unseals a secret. Throws `invalid_request` when that is not possible. */
export function openSecret(secret: Secret): string {
  try {
    return unseal(secret);
  } catch (cause) {
    throw new AppError('invalid_request', `${(cause as Error).message}.`, {}, { cause });
  }
}

/** Returns a server with its secret unsealed, as passed to the engine. Throws like `openSecret`. */
export const openServer = ({ id, url, secret }: ServerEntry): EngineServer => ({
  id,
  url,
  ...(secret && { secret: openSecret(secret) }),
});

const originOf = (url: string): string | null => URL.parse(url)?.origin ?? null;

const COMMON = new Set(['id', 'type', 'paused', 'servers']);

/** Converts an issue of the file to one of the form, where options of the engine type are under `/options`. */
function toIssue({ path, message }: Issue): Issue {
  const inside = path.replace(/^\/engines\/0/, '');
  const [, member = ''] = inside.split('/');
  const at = member && !COMMON.has(member) ? `/options${inside}` : inside;
  return {
    path: at,
    message: `${placeOf(inside) || 'The engine'}${message.startsWith('must') ? '' : ':'} ${message}.`,
  };
}
