import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { distance } from 'fastest-levenshtein';
import { architectureStates, type ArchitectureStates } from '#lib/catalog/architecture-states';
import type { Architecture } from '#lib/catalog/catalog-file';
import { readCatalogFile, type CheckedFile } from '#lib/catalog/read-catalog-file';
import { jsonFilesIn, reloading, stamp } from '#lib/catalog/reloading';
import { env } from '#lib/env';
import { AppError } from '#lib/errors';
import { shown } from '#lib/issue';
import { log } from '#lib/log';
import { singleton } from '#lib/singleton';

/** Something wrong in a file of the catalog. */
export interface CatalogError {
  file: string;
  /** JSON pointer into the file. */
  place: string;
  message: string;
}

export interface Catalog {
  /** The live architectures, in the order of the files' `order`, then by name. */
  list(): Architecture[];
  /** Retired ones included. */
  all(): Architecture[];
  /** Retired ones included. */
  find(id: string): Architecture | null;
  /** Files that could not be used; an earlier good version of such a file stays in use. */
  errors: CatalogError[];
  /** Changes exactly when the architectures do; for ETags. */
  revision: string;
  /** What was read from each file, to carry over into the next load. */
  files: ReadonlyMap<string, LoadedFile>;
}

interface LoadedFile {
  stamp: string;
  /** The last good version. */
  architecture: Architecture | null;
  errors: CatalogError[];
}

/** Reads `dir/architectures/*.json`. Files that did not change since `previous` are not read again. */
export function loadCatalog(dir: string, previous?: Catalog): Catalog {
  const paths = jsonFilesIn(join(dir, 'architectures'));
  const files = new Map(paths.map(path => [path, loadFile(path, previous?.files.get(path))]));
  const errors = [...files.values()].flatMap(file => file.errors);
  if (!paths.length)
    errors.push({ file: join(dir, 'architectures'), place: '', message: 'there are no .json files here' });
  const all = [...files.values()].flatMap(({ architecture }) => architecture ?? []);
  all.sort((a, b) => a.order - b.order || a.name.localeCompare(b.name, 'en'));
  return { ...indexOf(all), errors, files };
}

function indexOf(all: Architecture[]): Omit<Catalog, 'errors' | 'files'> {
  const live = all.filter(({ state }) => state === 'live');
  const byId = new Map(all.map(architecture => [architecture.id, architecture]));
  return {
    list: () => live,
    all: () => all,
    find: id => byId.get(id) ?? null,
    revision: createHash('sha256').update(JSON.stringify(all)).digest('base64url').slice(0, 16),
  };
}

function loadFile(path: string, previous: LoadedFile | undefined): LoadedFile {
  const seen = stamp(path);
  if (previous?.stamp === seen) return previous;
  const { architecture, issues } = readArchitecture(path);
  const errors = issues.map(({ path: place, message }) => ({ file: path, place, message }));
  return { stamp: seen, architecture: architecture ?? previous?.architecture ?? null, errors };
}

function readArchitecture(path: string): CheckedFile {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    return {
      architecture: null,
      issues: [{ path: '', message: `cannot be read as JSON: ${(error as Error).message}` }],
    };
  }
  const checked = readCatalogFile(json);
  const id = basename(path, '.json');
  if (checked.architecture && checked.architecture.id !== id) {
    return { architecture: null, issues: [{ path: '/id', message: `must be ${id}, as the file is called` }] };
  }
  return checked;
}

/** The catalog of this process: that of the files, with the states that an operator set over theirs. */
export function catalog(): Catalog {
  const files = fileCatalog();
  const states = architectureStates();
  const last = singleton<{ files?: Catalog; states?: ArchitectureStates; catalog: Catalog }>(
    'catalog.with-states',
    () => ({
      catalog: files,
    }),
  );
  if (last.files !== files || last.states !== states) {
    const all = files.all().map(one => ({ ...one, state: states[one.id] ?? one.state }));
    Object.assign(last, { files, states, catalog: { ...files, ...indexOf(all) } });
  }
  return last.catalog;
}

/** The catalog as the files of CATALOG_DIR have it, always up to date with them. */
export const fileCatalog = (): Catalog =>
  singleton('catalog', () => {
    const dir = env().CATALOG_DIR;
    return reloading<Catalog>(
      () => [join(dir, 'architectures'), ...jsonFilesIn(join(dir, 'architectures'))],
      previous => {
        const loaded = loadCatalog(dir, previous);
        for (const error of loaded.errors)
          log().error(error, 'catalog file not usable; an earlier version stays, if any');
        return loaded;
      },
    );
  })();

/** The live architecture of this id, or a refusal that names the nearest ones. */
export function getArchitecture(id: string, from: Catalog = catalog()): Architecture {
  const architecture = from.find(id);
  if (architecture?.state === 'live') return architecture;
  if (architecture) {
    const others = from.list().filter(({ type }) => type === architecture.type);
    throw new AppError(
      'architecture_retired',
      `${architecture.name} was retired. Choose another ${architecture.type} architecture: ${names(others)}.`,
    );
  }
  const near = from.list().toSorted((a, b) => distance(id.slice(0, 60), a.id) - distance(id.slice(0, 60), b.id));
  throw new AppError(
    'architecture_not_found',
    `There is no architecture ${shown(id)}. The nearest are ${names(near.slice(0, 3))}; GET /v1/architectures lists all.`,
  );
}

const names = (architectures: Architecture[]) => architectures.map(({ id }) => id).join(', ') || 'none';
