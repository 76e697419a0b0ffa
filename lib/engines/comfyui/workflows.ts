import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalog, type Catalog, type CatalogError } from '#lib/catalog/catalog';
import { jsonFilesIn, reloading } from '#lib/catalog/reloading';
import { readWorkflow } from '#lib/engines/comfyui/read-workflow';
import type { Workflow } from '#lib/engines/comfyui/workflow';
import { env } from '#lib/env';
import { log } from '#lib/log';
import { singleton } from '#lib/singleton';

export interface Workflows {
  /** By the names of their files, in which order they are tried. */
  list: Workflow[];
  /** Files that could not be used; an earlier good version of such a file stays in use. */
  errors: CatalogError[];
  files: ReadonlyMap<string, Workflow | null>;
}

/** Reads `dir/workflows/*.json`. */
export function loadWorkflows(dir: string, find: Catalog['find'], previous?: Workflows): Workflows {
  const errors: CatalogError[] = [];
  const files = new Map<string, Workflow | null>();
  for (const file of jsonFilesIn(join(dir, 'workflows'))) {
    const { workflow, issues } = readWorkflow(readJson(file), find);
    errors.push(...issues.map(({ path: place, message }) => ({ file, place, message })));
    files.set(file, workflow ?? previous?.files.get(file) ?? null);
  }
  return { list: [...files.values()].filter(one => one !== null), errors, files };
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // refused by the schema like every other thing that is no workflow
    return null;
  }
}

/** The workflows of CATALOG_DIR, always up to date with their files and those of the architectures. */
export const workflows = (): Workflows =>
  singleton('comfyui.workflows', () => {
    const dir = env().CATALOG_DIR;
    return reloading<Workflows>(
      () => ['workflows', 'architectures'].flatMap(name => [join(dir, name), ...jsonFilesIn(join(dir, name))]),
      previous => {
        const loaded = loadWorkflows(dir, id => catalog().find(id), previous);
        for (const error of loaded.errors) log().error(error, 'workflow not usable; an earlier version stays, if any');
        return loaded;
      },
    );
  })();
