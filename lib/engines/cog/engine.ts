import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { CogOptions } from '#lib/engines/cog/options';
import { EngineError, type Engine, type EngineJob, type EngineOutput, type EngineServer } from '#lib/engines/engine';
import { createEngineHttp } from '#lib/engines/engine-http';
import { EngineRefusal } from '#lib/engines/engine-refusal';
import { asJob } from '#lib/engines/remote/hand-over';
import { createHeldCalls, type Tell } from '#lib/engines/remote/held-calls';
import { ifKnown } from '#lib/engines/remote/if-known';
import { fillParameters, PROMPT_AND_SEED, type Body } from '#lib/engines/parameters';
import { failureIn, Prediction } from '#lib/engines/remote/prediction';
import { probed } from '#lib/engines/probed';
import { jsonBody } from '#lib/engines/remote/request-body';
import { createResults } from '#lib/engines/remote/results';
import { servedFor, type TestLimits } from '#lib/engines/served';
import { progressIn } from '#lib/engines/remote/watch-by-polling';

const Health = z.object({
  status: z.string(),
  version: z.object({ coglet: z.string().nullish(), cog: z.string().nullish() }).nullish(),
});
const Schema = z.object({
  components: z.object({ schemas: z.object({ Input: z.object({ properties: z.record(z.string(), z.unknown()) }) }) }),
});

/** Milliseconds that a container may be busy with another run, or load its model, before the job is tried elsewhere. */
const BUSY_MS = 300_000;

/**
 * Creates an engine for a Cog container. A container reports the result of a run only to the call that started it, so
 * that call is held open. A run whose caller disconnected is cancelled.
 */
export function createCogEngine(server: EngineServer, options: CogOptions & TestLimits): Required<Engine> {
  const { serves, origins, answerMs, pollMs = 1_000 } = options;
  const http = createEngineHttp(server, { origins, answerMs });
  const results = createResults(http);
  const held = createHeldCalls(results);

  const health = (signal?: AbortSignal) => http.json(Health, 'GET', '/health-check', { signal });

  const stop = async (id: string): Promise<void> => {
    const answer = await ifKnown(http.call('POST', `/predictions/${id}/cancel`));
    answer?.body.resume();
  };

  async function run(id: string, job: EngineJob, signal: AbortSignal, tell: Tell): Promise<EngineOutput> {
    const { parameters, output: at } = servedFor(serves, job);
    // Cog ignores inputs that a model does not have
    const input = fillParameters(job, PROMPT_AND_SEED, parameters);
    const began = performance.now();
    const isOver = () => performance.now() - began > BUSY_MS;
    for (; ; await pause(pollMs, undefined, { signal })) {
      try {
        const made = await predict(id, input, signal, tell, prediction => {
          if (prediction.status !== 'succeeded') throw failureIn(prediction);
          return results.outputOf({ id }, prediction.output, { output: job.output, at });
        });
        if (made) return made;
        // the run still works for an earlier, disconnected caller, so its output cannot be retrieved
        await stop(id);
        if (isOver()) throw new EngineError('engine_unavailable', 'a run of a caller that is gone does not end', true);
      } catch (error) {
        if (!(await isBusy(error, signal)) || isOver()) throw error;
      }
      tell({ state: 'queued' });
    }
  }

  /** Starts a run and waits for its end. Returns null when a run with this id is already in progress. */
  async function predict(
    id: string,
    input: Body,
    signal: AbortSignal,
    tell: Tell,
    use: (ended: Prediction) => Promise<EngineOutput>,
  ): Promise<EngineOutput | null> {
    const ended = new AbortController();
    tell({ state: 'running' });
    void report(id, AbortSignal.any([signal, ended.signal]), tell).catch(() => {});
    try {
      const sent = await jsonBody({ input });
      const { status, body } = await http.call('PUT', `/predictions/${id}`, { ...sent, signal, patient: true });
      if (status !== 202) return await results.read(Prediction, body, use);
      body.destroy();
      return null;
    } finally {
      ended.abort();
    }
  }

  async function isBusy(error: unknown, signal: AbortSignal): Promise<boolean> {
    if (!(error instanceof EngineRefusal) || ![409, 503].includes(error.status)) return false;
    const { status } = await health(signal);
    if (!BROKEN.has(status)) return true;
    throw new EngineError('engine_unavailable', `the container says ${status}`, true, { cause: error });
  }

  /**
   * Reports the progress of a run from its logs until the signal is aborted. A PUT with the id of a run in progress
   * returns its state; the input is invalid, so that the call cannot start a run. Containers older than coglet reject
   * the call, so they report no progress.
   */
  async function report(id: string, signal: AbortSignal, tell: Tell): Promise<never> {
    for (;;) {
      await pause(pollMs, undefined, { signal });
      const told = await http
        .json(Prediction, 'PUT', `/predictions/${id}`, { json: { input: 0 }, signal })
        .catch(() => null);
      signal.throwIfAborted();
      const progress = progressIn(told?.logs);
      if (progress !== undefined) tell({ state: 'running', progress });
    }
  }

  return {
    id: server.id,
    traits: {
      clientChosenId: true,
      resumable: false,
      cancelQueued: false,
      cancelRunning: true,
      progress: 'coarse',
    },

    probe: () =>
      probed(async () => {
        const { status, version } = await health();
        const { components } = await http.json(Schema, 'GET', '/openapi.json');
        const inputs = Object.keys(components.schemas.Input.properties).join(', ');
        return {
          ok: status === 'READY' || status === 'BUSY',
          version: version?.cog ?? version?.coglet ?? undefined,
          models: [],
          detail: `${status}; its inputs are ${inputs}`,
        };
      }),

    reserve: job => ({ id: `${job.requestId}-${job.attempt}` }),

    async submit(job, ref, context) {
      servedFor(serves, job);
      held.start(ref.id, context, (signal, tell) => asJob(run(ref.id, job, signal, tell)));
      return ref;
    },

    poll: held.poll,
    watch: held.watch,

    async cancel(ref) {
      // a container older than coglet continues a run when its caller disconnects
      const [, outcome] = await Promise.all([stop(ref.id), held.cancel(ref)]);
      return outcome;
    },

    collect: results.collect,

    async close() {
      await held.close();
      await results.close();
      await http.close();
    },
  };
}

const BROKEN = new Set(['SETUP_FAILED', 'DEFUNCT', 'UNHEALTHY']);
