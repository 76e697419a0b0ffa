import { randomInt } from 'node:crypto';
import { tokensOf } from '#lib/catalog/architecture';
import { fileCatalog } from '#lib/catalog/catalog';
import type { Architecture } from '#lib/catalog/catalog-file';
import { outputOf } from '#lib/catalog/output-of';
import { readCatalogFile } from '#lib/catalog/read-catalog-file';
import { resolveConfig } from '#lib/catalog/resolve-config';
import type { TrialWire } from '#lib/contract/engine-schemas';
import { rolesNeeded } from '#lib/engines/comfyui/bind-workflow';
import type { Workflow } from '#lib/engines/comfyui/workflow';
import { readWorkflowShape, workflowsFor } from '#lib/engines/comfyui/workflows';
import type { Engine, EngineJob, EngineServer, InputRole } from '#lib/engines/engine';
import type { EngineEntry, ServerEntry } from '#lib/engines/engines-file';
import { serverId } from '#lib/engines/registry';
import { serves } from '#lib/engines/serving';
import { env } from '#lib/env';
import { AppError, invalid } from '#lib/errors';
import { newId } from '#lib/ids';
import { findRaw } from '#lib/operator/change-engines';
import { fromEntryWire, openServer } from '#lib/operator/engine-entries';

const PROMPT = 'A lighthouse on a cliff at dusk, warm light in its windows';

/** A job to be tried on an engine. */
export interface Trial {
  engine: Engine;
  /** Id of the server that runs the job, in the form used for saved engines. */
  server: string;
  job: Omit<EngineJob, 'inputs'>;
  /** Seconds without news from the engine after which the job is stopped. */
  stallSeconds: number;
  /** Roles of input media that the workflow requires. */
  roles: InputRole[];
}

/** Prepares a trial. Throws `invalid_request` and `not_found`. */
export async function prepareTrial({
  engine: given,
  engine_id = given.id,
  server_id,
  architecture: id,
  body,
  files,
}: TrialWire): Promise<Trial> {
  const { entry } = fromEntryWire(given, findRaw(engine_id));
  const draft = files && readDraft(files);
  const architecture = draft?.architecture ?? fileCatalog().find(id);
  if (!architecture) throw new AppError('not_found', `There is no architecture ${id}.`);
  const asked = { prompt: PROMPT, ...shortest(architecture), ...body };
  const model_id = body.model_id ?? modelOf(architecture, entry, draft !== undefined);
  const { config, modelId, issues } = resolveConfig(architecture, { ...asked, model_id });
  if (issues.length) throw invalid('invalid_request', issues);
  const workflows = draft ? [draft.workflow] : workflowsFor();
  const server = serverOf(entry, server_id);
  const opened = openServer(server);
  return {
    engine: draft ? await connectDraft(opened, workflows) : await entry.create(opened),
    server: serverId(entry, server),
    job: {
      requestId: newId(),
      claim: 1,
      attempt: 1,
      architecture: architecture.id,
      modelId,
      prompt: String(config.prompt),
      seed: typeof config.seed === 'number' ? config.seed : randomInt(2 ** 32),
      config,
      output: outputOf(architecture, config),
    },
    stallSeconds: entry.stall_seconds ?? env().STALL_SECONDS,
    roles: entry.type === 'comfyui' ? rolesNeeded(workflows, architecture.id, modelId) : [],
  };
}

async function connectDraft(server: EngineServer, workflows: Workflow[]): Promise<Engine> {
  const { createComfyuiEngine } = await import('#lib/engines/comfyui/engine');
  return createComfyuiEngine(server, { workflows });
}

function readDraft({ architecture, workflow }: NonNullable<TrialWire['files']>) {
  const [one, other] = [readCatalogFile(architecture), readWorkflowShape(workflow)];
  if (one.architecture && other.workflow) return { architecture: one.architecture, workflow: other.workflow };
  throw new AppError('invalid_request', 'The files are not complete yet. Correct what is wrong with them first.');
}

/** Returns the shortest duration of an architecture as a field, so that the trial ends soon. */
function shortest(architecture: Architecture): Record<string, string> {
  const field = architecture.roles.duration;
  const tokens = field === undefined ? undefined : tokensOf(architecture, field, architecture.default_model_id);
  const [first] = tokens?.toSorted((a, b) => Number(a) - Number(b)) ?? [];
  return field !== undefined && first !== undefined ? { [field]: first } : {};
}

function modelOf({ id, model_ids, default_model_id }: Architecture, entry: EngineEntry, isDraft: boolean): string {
  const served = isDraft ? model_ids : model_ids.filter(model => serves(entry, id, model));
  const chosen = served.find(model => model === default_model_id) ?? served[0];
  if (chosen === undefined) throw new AppError('invalid_request', `This engine does not serve ${id}.`);
  return chosen;
}

function serverOf({ servers }: EngineEntry, id: string | undefined): ServerEntry {
  const server = id === undefined ? servers[0]! : servers.find(one => one.id === id);
  if (!server) throw new AppError('not_found', `The engine has no server ${id}.`);
  return server;
}
