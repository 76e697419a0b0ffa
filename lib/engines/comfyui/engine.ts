import { text } from 'node:stream/consumers';
import { v5 } from 'uuid';
import {
  Accepted,
  Cancelled,
  endOf,
  History,
  ComfyuiNotes,
  Queue,
  refusalOf,
  SystemStats,
} from '#lib/engines/comfyui/answers';
import { bindWorkflow, chooseWorkflow } from '#lib/engines/comfyui/bind-workflow';
import { findNode } from '#lib/engines/comfyui/find-node';
import { lacking, readNodeInfo, type NodeInfos } from '#lib/engines/comfyui/node-info';
import { FOLDER, uploadToComfyui } from '#lib/engines/comfyui/upload';
import { createInbox, createReader } from '#lib/engines/comfyui/watch';
import type { Workflow } from '#lib/engines/comfyui/workflow';
import { createEngineHttp } from '#lib/engines/engine-http';
import { EngineRefusal } from '#lib/engines/engine-refusal';
import {
  EngineError,
  isEnded,
  type Engine,
  type EngineContext,
  type EngineJob,
  type EngineRef,
  type EngineServer,
  type JobInput,
  type Snapshot,
} from '#lib/engines/engine';
import { probed } from '#lib/engines/probed';
import { callOff } from '#lib/engines/remote/hand-over';
import { extensionOf } from '#lib/storage/media-types';

interface ComfyuiOptions {
  /** Workflows that the engine serves. */
  workflows: Workflow[];
  /** Maximum silence before a call fails, in milliseconds; for tests. */
  answerMs?: number;
  /** Milliseconds without a message after which a watched job is polled; for tests. */
  quietMs?: number;
}

/** Namespace of job ids, which are derived from request and attempt, so that an attempt never becomes two jobs. */
const NAMESPACE = '5b1f3b0a-6d0e-4a54-9a3f-0c1d8e3f7a21';
/** Maximum size of a queue or history response: both contain graphs, and histories the inputs of a failed node. */
const STATE_BYTES = 64_000_000;
/** Multiple of `quietMs` after which a watched job is polled even while messages keep arriving. */
const TALK = 6;
/** Lifetime of the cached node info: probes are frequent, but installed files change rarely. */
const KNOWN_MS = 60_000;
/** Refusal of servers that ignore job ids: their jobs could not be found again, and would be submitted repeatedly. */
const TOO_OLD = 'this ComfyUI is too old: it makes ids of its own for jobs, where it is given theirs (prompt_id)';

/** Creates an engine for a ComfyUI server, of any version that accepts job ids. A server runs one job at a time. */
export function createComfyuiEngine(server: EngineServer, options: ComfyuiOptions): Required<Engine> {
  const { workflows, answerMs, quietMs = 5_000 } = options;
  const http = createEngineHttp(server, { answerMs });

  /** Cached description of the server's nodes and files. */
  let known: { infos: NodeInfos; until: number } | undefined;

  async function poll(ref: EngineRef, { signal }: EngineContext): Promise<Snapshot> {
    // the queue is read before the history: a job moves from one to the other atomically, so it cannot be missed
    const queue = await http.json(Queue, 'GET', '/queue', { signal, maxBytes: STATE_BYTES });
    if (queue.queue_running.some(([, id]) => id === ref.id)) return { state: 'running' };
    const pending = queue.queue_pending.toSorted(([a], [b]) => a - b).findIndex(([, id]) => id === ref.id);
    if (pending >= 0) return { state: 'queued', position: pending + 1 };
    const history = await http.json(History, 'GET', `/history/${ref.id}`, { signal, maxBytes: STATE_BYTES });
    const entry = history[ref.id];
    return entry ? endOf(entry, ComfyuiNotes.parse(ref.data)) : { state: 'lost' };
  }

  async function bound(job: EngineJob, ref: EngineRef, signal: AbortSignal) {
    const { workflow, inputs } = chooseWorkflow(workflows, job);
    const names = new Map<JobInput, string>();
    for (const [index, input] of inputs.entries()) {
      const name = `${ref.id}-${index + 1}.${extensionOf(input.contentType)}`;
      names.set(input, await uploadToComfyui(input, name, http, signal));
    }
    const prefix = `${FOLDER}/${job.requestId}-${job.attempt}`;
    return bindWorkflow(workflow, { ...job, inputs }, input => names.get(input)!, prefix);
  }

  const tell = async (path: string, json: unknown): Promise<void> =>
    void (await text((await http.call('POST', path, { json })).body));

  /** Cancels a job by its id; null where the server is too old to support that. */
  async function cancelById(id: string): Promise<boolean | null> {
    try {
      return (await http.json(Cancelled, 'POST', `/api/jobs/${id}/cancel`)).cancelled;
    } catch (error) {
      if (error instanceof EngineRefusal && [404, 405].includes(error.status)) return null;
      throw error;
    }
  }

  async function cancel(ref: EngineRef): Promise<'cancelled' | 'requested' | 'too_late'> {
    const { signal } = new AbortController();
    const before = await poll(ref, { signal });
    if (isEnded(before)) return 'too_late';
    const taken = await cancelById(ref.id);
    if (taken === null) {
      await tell('/queue', { delete: [ref.id] });
      // old servers ignore the id and interrupt any running job, so the job must be the running one
      if ((await poll(ref, { signal })).state === 'running') await tell('/interrupt', { prompt_id: ref.id });
    }
    const after = await poll(ref, { signal });
    if (after.state === 'lost' || after.state === 'cancelled') return 'cancelled';
    return after.state === 'running' ? 'requested' : 'too_late';
  }

  return {
    id: server.id,
    traits: {
      clientChosenId: true,
      resumable: true,
      cancelQueued: true,
      cancelRunning: true,
      progress: 'steps',
    },

    probe: () =>
      probed(async () => {
        const before = known;
        // reset before the request: a server that was down may return with different files
        known = undefined;
        const { system } = await http.json(SystemStats, 'GET', '/system_stats');
        const isFresh = before && before.until > performance.now();
        known = isFresh ? before : { infos: await readNodeInfo(http, workflows), until: performance.now() + KNOWN_MS };
        const found = lacking(known.infos, workflows);
        return { ...found, ...(system.comfyui_version && { version: system.comfyui_version }) };
      }),

    reserve(job) {
      const { graph, output } = chooseWorkflow(workflows, job).workflow;
      const steps = Object.keys(graph).filter(id => graph[id]!.inputs.latent_image !== undefined);
      const node = output && findNode(graph, output).id;
      const notes: ComfyuiNotes = { output: job.output, steps, ...(node !== undefined && { node }) };
      return { id: v5(`${job.requestId} ${job.attempt}`, NAMESPACE), data: notes };
    },

    async submit(job, ref, context) {
      // the server would queue a job with the same id again
      if ((await poll(ref, context)).state !== 'lost') return ref;
      const { signal } = context;
      const prompt = await bound(job, ref, signal);
      signal.throwIfAborted();
      try {
        // not aborted by the signal: the server may have received the job already, and would run it for nothing
        const accepted = await http.json(Accepted, 'POST', '/prompt', {
          json: { prompt, prompt_id: ref.id, client_id: ref.id },
        });
        if (accepted.prompt_id !== ref.id) {
          await callOff(cancel({ ...ref, id: accepted.prompt_id }));
          throw new EngineError('engine_unavailable', TOO_OLD, false);
        }
        signal.throwIfAborted();
        const partly = refusalOf({ node_errors: accepted.node_errors });
        if (!partly) return ref;
        await cancel(ref);
        throw partly;
      } catch (error) {
        if (signal.aborted) await callOff(cancel(ref));
        throw (error instanceof EngineRefusal && refusalOf(error.json)) || error;
      }
    },

    poll,

    async *watch(ref: EngineRef, context: EngineContext) {
      const { steps } = ComfyuiNotes.parse(ref.data);
      const socket = http.socket('/ws', { clientId: ref.id });
      const inbox = createInbox(socket, createReader(ref.id, steps), context.signal);
      try {
        for (let askedAt = performance.now(); ;) {
          const seen = await inbox.next(quietMs);
          if (seen === 'over') return;
          if (seen) yield seen;
          // a socket may die silently, or keep sending messages about a job that has ended
          if (seen && performance.now() - askedAt < TALK * quietMs) continue;
          askedAt = performance.now();
          const snapshot = await poll(ref, context);
          yield snapshot;
          if (isEnded(snapshot)) return;
        }
      } finally {
        inbox.close();
      }
    },

    cancel,
    collect: (output, { signal }) => http.download(output.location, { signal }),
    close: () => http.close(),
  };
}
