import type { EngineEntryWire } from '#lib/contract/engine-schemas';
import { readEnginesFile, type EngineEntry, type Secret, type ServerEntry } from '#lib/engines/engines-file';
import type { EngineServer } from '#lib/engines/engine';
import { seal, unseal } from '#lib/engines/sealed';
import { AppError, invalid, type Issue } from '#lib/errors';
import { placeOf } from '#lib/issue';
import { revisionOf } from '#lib/operator/revision';

/** An entry of engines.json as it stands there. */
export interface RawEntry {
  id: string;
  type?: unknown;
  paused?: unknown;
  servers?: (Omit<ServerEntry, 'places'> & { places?: number })[];
  /** What its type alone has. */
  [option: string]: unknown;
}

/** The entries of engines.json. Throws `invalid_request` when nothing can be made of it. */
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

/** An engine of the settings, as an entry of the file would say it. */
export const rawOf = ({ id, type, servers, options }: EngineEntry): RawEntry => ({ id, type, servers, ...options });

/** An entry as its operator reads it: without secrets. */
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
    // whether it is paused is an act of its own
    revision: revisionOf({ ...raw, paused: undefined }),
  };
}

/**
 * An entry as its operator filled it in, with its secrets sealed; `known` is where those are that it keeps. Throws
 * `invalid_request` with everything that is wrong with it.
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

/** Undefined for one that is kept for another address: who changes that must know the secret. */
export function sealedOf(secret: GivenSecret, url: string, id: string | null, known?: RawEntry): Secret | undefined {
  if ('value' in secret) return { sealed: seal(secret.value) };
  if ('env' in secret) return secret;
  const same = known?.servers?.filter(server => originOf(server.url) === originOf(url)) ?? [];
  return (same.find(server => server.id === id) ?? same[0])?.secret;
}

/** A secret in the open. Throws `invalid_request` where that cannot be. */
export function openSecret(secret: Secret): string {
  try {
    return unseal(secret);
  } catch (cause) {
    throw new AppError('invalid_request', `${(cause as Error).message}.`, {}, { cause });
  }
}

/** A server of an entry as its engine is given it. Throws as `openSecret` does. */
export const openServer = ({ id, url, secret }: ServerEntry): EngineServer => ({
  id,
  url,
  ...(secret && { secret: openSecret(secret) }),
});

const originOf = (url: string): string | null => URL.parse(url)?.origin ?? null;

const COMMON = new Set(['id', 'type', 'paused', 'servers']);

/** A flaw of the file as one of the form, where what is its type's own has a place of its own. */
function toIssue({ path, message }: Issue): Issue {
  const inside = path.replace(/^\/engines\/0/, '');
  const [, member = ''] = inside.split('/');
  const at = member && !COMMON.has(member) ? `/options${inside}` : inside;
  return {
    path: at,
    message: `${placeOf(inside) || 'The engine'}${message.startsWith('must') ? '' : ':'} ${message}.`,
  };
}
