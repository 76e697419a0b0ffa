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
  /** What it serves. */
  workflows: Workflow[];
  /** Milliseconds of silence that are too many; for tests. */
  answerMs?: number;
  /** Milliseconds after which a job of which nothing is heard is asked for; for tests. */
  quietMs?: number;
}

/** Ids of jobs are made from those of requests, so that the same try of the same request is never two jobs. */
const NAMESPACE = '5b1f3b0a-6d0e-4a54-9a3f-0c1d8e3f7a21';
/** Queues and histories hold whole graphs, the latter also what a failed node was given. */
const STATE_BYTES = 64_000_000;
/** However much is told of a job, it is asked for after so many times the quiet that is asked about. */
const TALK = 6;
/** Files come seldom, probes often. */
const KNOWN_MS = 60_000;
/** Its jobs could not be found again, and would be made as often as they are looked for. */
const TOO_OLD = 'this ComfyUI is too old: it makes ids of its own for jobs, where it is given theirs (prompt_id)';

/** A ComfyUI server, of any version that takes the ids of jobs that it is given. It runs one job at a time. */
export function createComfyuiEngine(server: EngineServer, options: ComfyuiOptions): Required<Engine> {
  const { workflows, answerMs, quietMs = 5_000 } = options;
  const http = createEngineHttp(server, { answerMs });

  /** What the server said of its nodes and files. */
  let known: { infos: NodeInfos; until: number } | undefined;

  async function poll(ref: EngineRef, { signal }: EngineContext): Promise<Snapshot> {
    // in this order: a job goes from the queue to the history in one step
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

  /** Null where the server is too old for it. */
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
      // without its id, or where that is not looked at, this stops whatever runs
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
        // a server that was away may come back with other files
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
      // the server would queue the same id again
      if ((await poll(ref, context)).state !== 'lost') return ref;
      const { signal } = context;
      const prompt = await bound(job, ref, signal);
      signal.throwIfAborted();
      try {
        // not broken off: the server may have read it by then, and would make it for nobody
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
          // a socket may die without a word, or talk on of a job that is over
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
