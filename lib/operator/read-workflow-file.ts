import type { z } from 'zod';
import type { ArchitectureFile, WorkflowFile } from '#lib/catalog/import/import-choices';
import { importWorkflow, type WorkflowImport } from '#lib/catalog/import/import-workflow';
import { updateWorkflow } from '#lib/catalog/import/update-workflow';
import type { FoundWire, ReadWorkflowWire, workflowFile } from '#lib/contract/engine-schemas';
import { readNodeInfo, type NodeInfos } from '#lib/engines/comfyui/node-info';
import { readGraph } from '#lib/engines/comfyui/read-graph';
import type { Graph } from '#lib/engines/comfyui/workflow';
import { EngineError, type EngineServer } from '#lib/engines/engine';
import { createEngineHttp } from '#lib/engines/engine-http';
import { engines } from '#lib/engines/engines';
import type { EngineEntry } from '#lib/engines/engines-file';
import { AppError } from '#lib/errors';
import { toBuilt } from '#lib/operator/build-workflow';
import { openServer } from '#lib/operator/engine-entries';
import { getWorkflow, otherMakers } from '#lib/operator/workflows';

/** Timeout for a ComfyUI, after which the next one is asked. */
const ANSWER_MS = 10_000;

/**
 * Reads a workflow file: its inputs and outputs according to the node definitions of a ComfyUI, and what that server
 * lacks. With `replaces`, also how the fields of the existing workflow change. Throws `invalid_request`.
 */
export async function readWorkflowFile({
  text,
  base64,
  engine_id,
  replaces,
}: z.output<typeof workflowFile>): Promise<ReadWorkflowWire> {
  const graph = await readGraph(text === undefined ? Buffer.from(base64!, 'base64') : Buffer.from(text));
  const { engine, infos } = await askNodes(graph, engine_id);
  const found = importWorkflow(graph, infos);
  return {
    engine_id: engine.id,
    found: found as unknown as FoundWire,
    update: replaces === undefined ? null : updateOf(replaces, found),
  };
}

function updateOf(id: string, found: WorkflowImport): ReadWorkflowWire['update'] {
  const { architecture, workflow, revision } = getWorkflow(id);
  const update = updateWorkflow(
    architecture as ArchitectureFile,
    workflow as WorkflowFile,
    found,
    otherMakers(id, String(architecture.id)),
  );
  const added = update.added.map(({ name }) => name);
  return { ...toBuilt(update), changes: update.changes, added, revision };
}

/** Returns the node definitions of a graph from the first ComfyUI that answers. */
async function askNodes(graph: Graph, engineId?: string): Promise<{ engine: EngineEntry; infos: NodeInfos }> {
  const asked = engines().filter(({ id, type }) => type === 'comfyui' && (engineId === undefined || id === engineId));
  if (asked.length === 0)
    throw new AppError('invalid_request', 'Connect a ComfyUI first: it says what the nodes of a workflow take.');
  const reasons: string[] = [];
  for (const engine of asked)
    for (const server of engine.servers)
      try {
        return { engine, infos: await nodesOf(openServer(server), graph) };
      } catch (error) {
        if (!(error instanceof EngineError || error instanceof AppError)) throw error;
        reasons.push(`${engine.id}: ${error.message}`);
      }
  throw new AppError('invalid_request', `No ComfyUI says what the nodes take. ${reasons.join('; ')}.`);
}

async function nodesOf(server: EngineServer, graph: Graph): Promise<NodeInfos> {
  const http = createEngineHttp(server, { answerMs: ANSWER_MS });
  try {
    return await readNodeInfo(http, [{ graph }]);
  } finally {
    await http.close();
  }
}
