import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { distance } from 'fastest-levenshtein';
import { architectureStates, type ArchitectureStates } from '#lib/catalog/architecture-states';
import type { Architecture } from '#lib/catalog/catalog-file';
import { narrowTo } from '#lib/catalog/narrow-to';
import { readNamedFile } from '#lib/catalog/read-catalog-file';
import { documents, type Documents } from '#lib/documents/documents';
import { errorsIn, type FileError } from '#lib/documents/json-file';
import { jsonFilesIn, reloading, stamp } from '#lib/documents/reloading';
import { inabilities, type Inabilities } from '#lib/engines/abilities';
import { engines } from '#lib/engines/engines';
import type { EngineEntry } from '#lib/engines/engines-file';
import { PREVIEW, servingOf } from '#lib/engines/serving';
import { env } from '#lib/env';
import { AppError } from '#lib/errors';
import { shown } from '#lib/issue';
import { log } from '#lib/log';
import { singleton } from '#lib/singleton';

/** Folder of the operator's own architecture documents. */
const OWN_FOLDER = 'catalog/architectures/';

export interface Catalog {
  /** Live architectures that have a variant, in the order of the files' `order`, then by name. */
  list(): Architecture[];
  /** All architectures, including retired ones. */
  all(): Architecture[];
  /** Finds an architecture by id, including retired ones. */
  find(id: string): Architecture | null;
  /** Files that could not be used; the last valid version of such a file stays in use. */
  errors: FileError[];
  /** Hash that changes exactly when the architectures do; for ETags. */
  revision: string;
  /** Result of each file, to carry over into the next load. */
  files: ReadonlyMap<string, LoadedFile>;
}

interface LoadedFile {
  /** Changes whenever the file does. */
  stamp: string;
  /** The last valid version. */
  architecture: Architecture | null;
  errors: FileError[];
}

/**
 * Reads `dir/architectures/*.json` and the operator's own documents, which replace files of the same name. Files that
 * did not change since `previous` are not read again.
 */
export function loadCatalog(dir: string, previous?: Catalog, own: Documents = new Map()): Catalog {
  const paths = jsonFilesIn(join(dir, 'architectures'));
  const sources = new Map(
    paths.map(path => [basename(path), { path, stamp: stamp(path), read: () => readFileSync(path, 'utf8') }]),
  );
  for (const [path, text] of own)
    if (path.startsWith(OWN_FOLDER)) sources.set(basename(path), { path, stamp: text, read: () => text });
  const files = new Map([...sources.values()].map(one => [one.path, loadFile(one, previous?.files.get(one.path))]));
  const errors = [...files.values()].flatMap(file => file.errors);
  if (!paths.length)
    errors.push({ file: join(dir, 'architectures'), place: '', message: 'there are no .json files here' });
  const all = [...files.values()].flatMap(({ architecture }) => architecture ?? []);
  all.sort((a, b) => a.order - b.order || a.name.localeCompare(b.name, 'en'));
  return { ...indexOf(all), errors, files };
}

function indexOf(all: Architecture[]): Omit<Catalog, 'errors' | 'files'> {
  const live = all.filter(({ state, model_ids }) => state === 'live' && model_ids.length > 0);
  const byId = new Map(all.map(architecture => [architecture.id, architecture]));
  return {
    list: () => live,
    all: () => all,
    find: id => byId.get(id) ?? null,
    revision: hash('sha256', JSON.stringify(all), 'base64url').slice(0, 16),
  };
}

interface Source {
  path: string;
  stamp: string;
  read: () => string;
}

function loadFile({ path, stamp: seen, read }: Source, previous: LoadedFile | undefined): LoadedFile {
  if (previous?.stamp === seen) return previous;
  const { architecture, issues } = readNamedFile(path, read);
  return {
    stamp: seen,
    architecture: architecture ?? previous?.architecture ?? null,
    errors: errorsIn(path, issues),
  };
}

interface Known {
  abilities?: Inabilities | undefined;
  files?: Catalog;
  states?: ArchitectureStates;
  engines?: readonly EngineEntry[];
  catalog: Catalog;
}

/** Returns the catalog of this process: the files, with the operator's states, narrowed to what engines serve. */
export function catalog(): Catalog {
  const [files, states, entries, abilities] = [fileCatalog(), architectureStates(), engines(), inabilities()];
  const last = singleton<Known>('catalog.known', () => ({ catalog: files }));
  const isSame = last.files === files && last.states === states && last.engines === entries;
  if (!isSame || last.abilities !== abilities) {
    const all = files.all().map(one => withServing({ ...one, state: states[one.id] ?? one.state }));
    Object.assign(last, { files, states, engines: entries, abilities, catalog: { ...files, ...indexOf(all) } });
  }
  return last.catalog;
}

/** Narrows an architecture to the variants that an engine serves. Variants of the preview engine get its price. */
function withServing(architecture: Architecture): Architecture {
  const { id, price } = architecture;
  const serving = architecture.model_ids.map(model => ({ model, by: servingOf(id, model) }));
  const model_ids = serving.flatMap(({ model, by }) => (by ? model : []));
  const preview_models = serving.flatMap(({ model, by }) => (by?.line === PREVIEW ? model : []));
  const gems = env().PREVIEW_PRICE;
  return {
    ...narrowTo(architecture, model_ids),
    preview_models,
    ...(gems !== undefined && { price: { ...price, previews: { model_ids: preview_models, gems } } }),
  };
}

/** Returns the catalog of CATALOG_DIR and the operator's documents, reloaded when they change. */
export const fileCatalog = (): Catalog =>
  singleton('catalog', () => {
    const dir = env().CATALOG_DIR;
    let own: Documents | undefined;
    return reloading<Catalog>(
      () => [join(dir, 'architectures'), ...jsonFilesIn(join(dir, 'architectures'))],
      previous => {
        const loaded = loadCatalog(dir, previous, (own = documents()));
        for (const error of loaded.errors)
          log().error(error, 'catalog file is invalid; the last valid version stays in use, if any');
        return loaded;
      },
      { isStale: () => own !== documents() },
    );
  })();

/** Returns the live architecture with this id. Throws a refusal that names the nearest ones. */
export function getArchitecture(id: string, from: Catalog = catalog()): Architecture {
  const architecture = from.find(id);
  if (architecture && from.list().includes(architecture)) return architecture;
  if (architecture?.state === 'retired') {
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
