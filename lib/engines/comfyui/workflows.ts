import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { documents, type Documents } from '#lib/documents/documents';
import { errorsIn, issuesIn, parseFile, type FileError } from '#lib/documents/json-file';
import { jsonFilesIn, reloading } from '#lib/documents/reloading';
import { Workflow } from '#lib/engines/comfyui/workflow';
import { isAmong, type Served } from '#lib/engines/served';
import { env } from '#lib/env';
import type { Issue } from '#lib/errors';
import { log } from '#lib/log';
import { singleton } from '#lib/singleton';

interface Workflows {
  /** Usable workflows in the order of their file names, in which they are tried. */
  list: Workflow[];
  /** Errors of files that could not be read; the last valid version of such a file stays in use. */
  errors: FileError[];
  files: ReadonlyMap<string, Workflow | null>;
}

export type CheckedWorkflow = { workflow: Workflow; issues: [] } | { workflow: null; issues: Issue[] };

/** Validates the shape of a workflow file; the catalog checks whether it fits its architecture. */
export function readWorkflowShape(json: unknown): CheckedWorkflow {
  const { success, data, error } = Workflow.safeParse(json);
  return success ? { workflow: data, issues: [] } : { workflow: null, issues: issuesIn(error) };
}

/** Path prefix of operator documents that are workflows. */
const OWN_FOLDER = 'catalog/workflows/';

/** Reads `dir/workflows/*.json` and the operator's workflows, which replace files of the same name. */
export function loadWorkflows(
  dir: string,
  { read = readWorkflowShape, previous, own = new Map() }: LoadOptions = {},
): Workflows {
  const texts = new Map(
    jsonFilesIn(join(dir, 'workflows')).map(file => [basename(file), { file, text: () => readFileSync(file, 'utf8') }]),
  );
  for (const [file, text] of own)
    if (file.startsWith(OWN_FOLDER)) texts.set(basename(file), { file, text: () => text });
  const errors: FileError[] = [];
  const files = new Map<string, Workflow | null>();
  for (const [, { file, text }] of [...texts].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const { json, issues: unread } = parseFile(text);
    const { workflow, issues } = unread.length ? { workflow: null, issues: unread } : read(json);
    errors.push(...errorsIn(file, issues));
    files.set(file, workflow ?? previous?.files.get(file) ?? null);
  }
  return { list: [...files.values()].filter(one => one !== null), errors, files };
}

interface LoadOptions {
  read?: (json: unknown) => CheckedWorkflow;
  previous?: Workflows | undefined;
  own?: Documents;
}

/** Returns the workflows of CATALOG_DIR and of the operator's documents, reloaded when they change. */
export const workflows = (): Workflows =>
  singleton('comfyui.workflows', () => {
    const dir = env().CATALOG_DIR;
    let own: Documents | undefined;
    return reloading<Workflows>(
      () => [join(dir, 'workflows'), ...jsonFilesIn(join(dir, 'workflows'))],
      previous => {
        const loaded = loadWorkflows(dir, { previous, own: (own = documents()) });
        for (const error of loaded.errors)
          log().error(error, 'workflow file is invalid; the last valid version stays in use, if any');
        return loaded;
      },
      { isStale: () => own !== documents() },
    );
  })();

/** Returns the workflows that `serves` covers, restricted to its variants; defaults to all. */
export function workflowsFor(serves?: readonly Served[]): (Workflow & { model_ids: string[] })[] {
  return workflows().list.flatMap(workflow => {
    const { architecture, models } = workflow;
    const isWanted = (modelId: string) => serves?.some(served => isAmong(served, { architecture, modelId })) ?? true;
    const model_ids = models.filter(isWanted);
    return model_ids.length ? [{ ...workflow, models: model_ids, model_ids }] : [];
  });
}
