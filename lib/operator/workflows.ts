import { isDeepStrictEqual } from 'node:util';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { recordAct, type Actor } from '#lib/accounts/audit';
import { refreshArchitectureStates, writeArchitectureState } from '#lib/catalog/architecture-states';
import { fileCatalog } from '#lib/catalog/catalog';
import type { Architecture } from '#lib/catalog/catalog-file';
import { checkFiles } from '#lib/catalog/import/build-files';
import type { ArchitectureFile, WorkflowFile } from '#lib/catalog/import/import-choices';
import { priceOf } from '#lib/catalog/price';
import { resolveConfig } from '#lib/catalog/resolve-config';
import type { SavedWorkflowWire, WorkflowFilesWire, WorkflowWire } from '#lib/contract/engine-schemas';
import { db, type Tx } from '#lib/db/client';
import { documents, lockDocument, refreshDocuments, writeDocument } from '#lib/documents/documents';
import type { Workflow } from '#lib/engines/comfyui/workflow';
import { workflows } from '#lib/engines/comfyui/workflows';
import { engines, ENGINES_DOCUMENT } from '#lib/engines/engines';
import { serves } from '#lib/engines/serving';
import { AppError, invalid } from '#lib/errors';
import { entriesOf } from '#lib/operator/engine-entries';
import { requireSame, revisionOf } from '#lib/operator/revision';

const pathOf = {
  workflow: (id: string) => `catalog/workflows/${id}.json`,
  architecture: (id: string) => `catalog/architectures/${id}.json`,
};

/** Lists every workflow whose architecture exists, imported ones first. */
export function listWorkflows(): WorkflowWire[] {
  const all = [...workflows().files].flatMap(([path, workflow]) => {
    const architecture = workflow && fileCatalog().find(workflow.architecture);
    return workflow && architecture ? toWire(basename(path, '.json'), workflow, architecture) : [];
  });
  return [...all.filter(({ from }) => from === 'own'), ...all.filter(({ from }) => from === 'shipped')];
}

/** Returns the other workflows that serve an architecture. */
export const otherMakers = (id: string, architecture: string): Workflow[] =>
  [...workflows().files].flatMap(([path, one]) =>
    one?.architecture === architecture && basename(path, '.json') !== id ? one : [],
  );

/** Returns the current architecture and workflow files of a workflow. Throws `not_found`. */
export function getWorkflow(id: string): WorkflowFilesWire & { revision: string } {
  const workflow = fileAt(workflows().files.keys(), id);
  if (!workflow) throw new AppError('not_found', `There is no workflow ${id}.`);
  const architecture = fileAt(fileCatalog().files.keys(), String(workflow.architecture));
  if (!architecture) throw new AppError('not_found', `The architecture of the workflow ${id} is gone.`);
  const [own, ownArchitecture] = [pathOf.workflow(id), pathOf.architecture(String(architecture.id))];
  return { architecture, workflow, revision: revisionOfOwn(documents().get(own), documents().get(ownArchitecture)) };
}

/** Returns the revision of an operator's own files; all shipped workflows without own files share one revision. */
const revisionOfOwn = (...own: (string | null | undefined)[]): string => revisionOf(own.map(text => text ?? null));

/** Whether a workflow or architecture exists under these names, as an operator's own or as shipped. */
export function findSaved(workflow: string, architecture: string): 'own' | 'shipped' | null {
  const own = documents().has(pathOf.workflow(workflow)) || documents().has(pathOf.architecture(architecture));
  if (own) return 'own';
  const isShipped = fileAt(workflows().files.keys(), workflow) ?? fileCatalog().find(architecture);
  return isShipped ? 'shipped' : null;
}

/**
 * Saves a workflow or a new version of it; its form, price, docs and API follow from the files. Throws
 * `invalid_request`, and `precondition_failed` when it was changed since `files.revision` was read.
 */
export async function saveWorkflow(
  actor: Actor,
  id: string,
  files: SavedWorkflowWire,
): Promise<WorkflowWire & { revision: string }> {
  const [architecture, workflow] = [files.architecture as ArchitectureFile, files.workflow as WorkflowFile];
  requireSound(id, architecture, workflow);
  await db().transaction(async tx => {
    if (files.revision !== undefined) await requireUnchanged(id, files.revision, tx);
    const before = await writeDocument(pathOf.workflow(id), toText(workflow), tx);
    // an unchanged shipped architecture is not saved, so that it stays shipped
    if (!isDeepStrictEqual(fileAt(fileCatalog().files.keys(), architecture.id), architecture))
      await writeDocument(pathOf.architecture(architecture.id), toText(architecture), tx);
    // the state of a retired and removed architecture with the same id must not apply to this one
    if (!fileCatalog().find(architecture.id)) await writeArchitectureState(architecture.id, null, tx);
    await serveIt(workflow, tx);
    const facts = {
      architecture: architecture.id,
      fields: Object.keys(architecture.fields).length,
      price: architecture.price,
    };
    await recordAct(
      actor,
      { act: before === null ? 'workflow.import' : 'workflow.change', subject: id, after: facts },
      tx,
    );
  });
  await Promise.all([refreshDocuments(), refreshArchitectureStates()]);
  return { ...listWorkflows().find(one => one.id === id)!, revision: getWorkflow(id).revision };
}

async function requireUnchanged(id: string, revision: string, tx: Tx): Promise<void> {
  const own = await lockDocument(pathOf.workflow(id), tx);
  const architecture = String(getWorkflow(id).architecture.id);
  requireSame('workflow', revision, revisionOfOwn(own, await lockDocument(pathOf.architecture(architecture), tx)));
}

/** Removes an imported workflow, and its architecture unless another workflow serves it. */
export async function removeWorkflow(actor: Actor, id: string): Promise<void> {
  const { architecture } = getWorkflow(id).workflow as unknown as Workflow;
  if (!documents().has(pathOf.workflow(id)))
    throw new AppError(
      'invalid_request',
      `The workflow ${id} was not imported. Retire its architecture instead: Operator → Architectures, ${architecture}.`,
    );
  const isMadeElsewhere = listWorkflows().some(one => one.id !== id && one.architecture === architecture);
  await db().transaction(async tx => {
    await writeDocument(pathOf.workflow(id), null, tx);
    if (!isMadeElsewhere) await writeDocument(pathOf.architecture(architecture), null, tx);
    await recordAct(actor, { act: 'workflow.remove', subject: id, before: { architecture } }, tx);
  });
  await refreshDocuments();
}

function requireSound(id: string, architecture: ArchitectureFile, workflow: WorkflowFile): void {
  const issues = checkFiles(architecture, workflow, true);
  const all = [
    ...(/^[a-z][a-z0-9_-]{0,62}$/.test(id)
      ? []
      : [{ path: '', message: 'its name must be lowercase letters, digits, _ and -' }]),
    ...issues.architecture.map(({ path, message }) => ({ path: `/architecture${path}`, message })),
    ...issues.workflow.map(({ path, message }) => ({ path: `/workflow${path}`, message })),
  ];
  if (all.length)
    throw invalid(
      'invalid_request',
      all.map(({ path, message }) => ({ path, message: `${path || 'The workflow'}: ${message}.` })),
    );
}

/** Adds the architecture to what the first ComfyUI serves, when every ComfyUI has a list without it. */
async function serveIt({ architecture, models }: WorkflowFile, tx: Tx): Promise<void> {
  const comfyuis = engines().filter(({ type }) => type === 'comfyui');
  const isServed = (entry: (typeof comfyuis)[number]) =>
    !entry.options.serves || models.every(model => serves(entry, architecture, model));
  if (comfyuis.length === 0 || comfyuis.some(isServed)) return;
  const entries = entriesOf(await lockDocument(ENGINES_DOCUMENT, tx));
  const served = entries.map(entry =>
    // if the list was removed meanwhile, the engine serves everything
    entry.id === comfyuis[0]!.id && entry.serves
      ? { ...entry, serves: [...(entry.serves as object[]), { architecture }] }
      : entry,
  );
  await writeDocument(ENGINES_DOCUMENT, toText({ engines: served }), tx);
}

/** Returns the parsed file of an id, imported or shipped; null when there is none. */
function fileAt(paths: Iterable<string>, id: string): Record<string, unknown> | null {
  const path = [...paths].find(one => basename(one) === `${id}.json`);
  if (path === undefined) return null;
  return JSON.parse(documents().get(path) ?? readFileSync(path, 'utf8')) as Record<string, unknown>;
}

const toText = (file: object): string => `${JSON.stringify(file, null, 2)}\n`;

const toWire = (id: string, { models }: Workflow, architecture: Architecture): WorkflowWire => ({
  id,
  architecture: architecture.id,
  name: architecture.name,
  type: architecture.type,
  model_ids: models,
  from: documents().has(pathOf.workflow(id)) ? 'own' : 'shipped',
  gems: priceOf(architecture, resolveConfig(architecture, {}).config),
});
