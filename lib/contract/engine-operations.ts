import { z } from 'zod';
import * as shape from '#lib/contract/engine-schemas';
import { plain, type StudioOperation } from '#lib/contract/operation';

/** Body limits for an image or video that carries a workflow, in base64. */
const FILE = { bytes: 45_000_000, values: 100 };
/** Body limits for a workflow with everything that was found in it. */
const WORKFLOW = { bytes: 8_000_000, values: 400_000 };

const act = { ...plain, auth: 'operator' } as const;
const byEngine = z.object({ engine_id: z.string() });
const byWorkflow = z.object({ workflow_id: z.string() });
const refusals = ['invalid_request', 'not_found'] as const;

/** Operations of operators on engines and workflows. */
export const engineOperations = {
  listEngines: {
    ...act,
    method: 'GET',
    path: '/api/admin/engines',
    summary: 'Engines with their servers: whether they answer, what they lack and what waits for them',
    responses: { 200: shape.engineList },
    errors: ['not_found'],
  },
  examineServer: {
    ...act,
    method: 'POST',
    path: '/api/admin/engines/examine',
    summary: 'Inspect an address: its type, its models, what it can make and what it lacks',
    body: shape.serverAddress,
    responses: { 200: shape.examination },
    errors: refusals,
  },
  tryEngine: {
    ...act,
    method: 'POST',
    path: '/api/admin/engines/try',
    summary: 'Make a test output with an engine, even one that is not saved; it costs no gems and is not kept',
    body: shape.trial,
    large: WORKFLOW,
    responses: { 200: shape.trialState },
    lines: true,
    errors: refusals,
  },
  getEngine: {
    ...act,
    method: 'GET',
    path: '/api/admin/engines/{engine_id}',
    summary: 'An engine as it was entered, without its secrets',
    params: byEngine,
    responses: { 200: shape.engineEntry },
    errors: ['not_found'],
  },
  addEngine: {
    ...act,
    method: 'POST',
    path: '/api/admin/engines',
    summary: 'Connect an engine, as the last in the order of preference',
    body: shape.engineEntry,
    responses: { 201: shape.engineEntry },
    errors: refusals,
  },
  replaceEngine: {
    ...act,
    method: 'PUT',
    path: '/api/admin/engines/{engine_id}',
    summary: 'Change an engine, except whether it is paused; another id renames it',
    params: byEngine,
    body: shape.engineEntry,
    responses: { 200: shape.engineEntry },
    errors: [...refusals, 'precondition_failed'],
  },
  changeEngine: {
    ...act,
    method: 'PATCH',
    path: '/api/admin/engines/{engine_id}',
    summary: 'Pause an engine so that it takes no new work, resume it, or move it in the order',
    params: byEngine,
    body: shape.patchEngine,
    responses: { 200: shape.engineEntry },
    errors: refusals,
  },
  removeEngine: {
    ...act,
    method: 'DELETE',
    path: '/api/admin/engines/{engine_id}',
    summary: 'Disconnect an engine',
    params: byEngine,
    responses: { 204: null },
    errors: refusals,
  },
  listWorkflows: {
    ...act,
    method: 'GET',
    path: '/api/admin/workflows',
    summary: 'Workflows that ComfyUI engines can serve, imported ones first',
    responses: { 200: z.object({ data: z.array(shape.workflow) }) },
    errors: ['not_found'],
  },
  readWorkflow: {
    ...act,
    method: 'POST',
    path: '/api/admin/workflows/read',
    summary: 'Read a workflow: what it takes and makes, and what its server lacks',
    body: shape.workflowFile,
    large: FILE,
    responses: { 200: shape.readWorkflow },
    errors: refusals,
  },
  buildWorkflow: {
    ...act,
    method: 'POST',
    path: '/api/admin/workflows/build',
    summary: 'Preview the two files made from a workflow and the choices, with any problems; nothing is saved',
    body: shape.workflowDraft,
    large: WORKFLOW,
    responses: { 200: shape.builtWorkflow },
    errors: refusals,
  },
  getWorkflow: {
    ...act,
    method: 'GET',
    path: '/api/admin/workflows/{workflow_id}',
    summary: 'The two files of a workflow',
    params: byWorkflow,
    responses: { 200: shape.savedWorkflow },
    errors: ['not_found'],
  },
  saveWorkflow: {
    ...act,
    method: 'PUT',
    path: '/api/admin/workflows/{workflow_id}',
    summary: 'Publish a workflow, or a new version of it, with its form, price and API',
    params: byWorkflow,
    body: shape.savedWorkflow,
    large: WORKFLOW,
    responses: { 200: shape.workflow.extend({ revision: z.string() }) },
    errors: [...refusals, 'precondition_failed'],
  },
  removeWorkflow: {
    ...act,
    method: 'DELETE',
    path: '/api/admin/workflows/{workflow_id}',
    summary: 'Remove an imported workflow, and its architecture if nothing else makes it',
    params: byWorkflow,
    responses: { 204: null },
    errors: refusals,
  },
} as const satisfies Record<string, StudioOperation>;
