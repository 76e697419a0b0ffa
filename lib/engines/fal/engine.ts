import { z } from 'zod';
import { type Engine, type EngineContext, type EngineRef, type EngineServer, type Snapshot } from '#lib/engines/engine';
import { createEngineHttp, OverlongAnswer } from '#lib/engines/engine-http';
import { asLostOutput, EngineRefusal } from '#lib/engines/engine-refusal';
import type { FalOptions } from '#lib/engines/fal/options';
import { LIFETIME, uploadToFal } from '#lib/engines/fal/upload';
import { handOver } from '#lib/engines/remote/hand-over';
import { ifKnown } from '#lib/engines/remote/if-known';
import { fillParameters, PROMPT_AND_SEED } from '#lib/engines/parameters';
import { probed } from '#lib/engines/probed';
import { jobFailure, refusalOf } from '#lib/engines/remote/job-error';
import { jsonBody, replaceFiles } from '#lib/engines/remote/request-body';
import { createResults, JobNotes } from '#lib/engines/remote/results';
import { servedFor, type TestLimits } from '#lib/engines/served';
import { progressIn, watchByPolling } from '#lib/engines/remote/watch-by-polling';

const Submitted = z.object({
  request_id: z.string().regex(/^[\w-]{1,100}$/),
  status_url: z.url(),
  response_url: z.url(),
  cancel_url: z.url(),
});
const Status = z.object({
  status: z.string(),
  queue_position: z.number().nullish(),
  logs: z.array(z.object({ message: z.string() })).nullish(),
});
const Failure = z.object({ detail: z.json(), error_type: z.string().nullish() });
/**
 * Whether the job itself failed: a crashed runner sets `error_type`, and a failed model lists its errors in `detail`.
 */
const isOfJob = ({ detail, error_type }: z.infer<typeof Failure>): boolean =>
  Boolean(error_type) || Array.isArray(detail);
const Cancelled = z.object({ status: z.string() });
/** The result of a job. `has_nsfw_concepts` says which files the safety checker replaced with black images. */
const Answer = z.looseObject({ has_nsfw_concepts: z.array(z.boolean()).nullish() });

/** Facts saved with a job. Its URLs come from fal's response, since they cannot be derived from the model id. */
const FalNotes = JobNotes.extend({ status: z.string(), response: z.string(), cancel: z.string() });

const authorize = (secret: string) => ({ authorization: `Key ${secret}` });

const UPLOADS = 'https://rest.fal.ai';

/** Creates an engine for models hosted by fal, through its queue API. */
export function createFalEngine(server: EngineServer, options: FalOptions & TestLimits): Required<Engine> {
  const { serves, origins = [], uploads = UPLOADS, answerMs, pollMs = 1_000 } = options;
  const http = createEngineHttp(server, { authorize, origins, answerMs });
  const rest = createEngineHttp({ ...server, url: uploads }, { authorize, answerMs });
  const results = createResults(http);

  async function poll({ id, data }: EngineRef, { signal }: EngineContext): Promise<Snapshot> {
    const notes = FalNotes.safeParse(data).data;
    // the ref of a job that was never submitted has no notes
    if (!notes) return { state: 'lost' };
    const status = await ifKnown(statusOf(notes, signal));
    if (!status) return { state: 'lost' };
    if (status.status === 'IN_QUEUE')
      return { state: 'queued', ...(status.queue_position && { position: status.queue_position }) };
    if (status.status !== 'COMPLETED') {
      const progress = progressIn(status.logs?.map(({ message }) => message).join('\n'));
      return { state: 'running', ...(progress !== undefined && { progress }) };
    }
    return endOf({ id }, notes, signal);
  }

  /** Returns the status of a job with its logs, which contain the progress, or without them when they are too long. */
  async function statusOf({ status }: z.infer<typeof FalNotes>, signal: AbortSignal): Promise<z.infer<typeof Status>> {
    try {
      return await http.json(Status, 'GET', status, { query: { logs: '1' }, signal });
    } catch (error) {
      if (!(error instanceof OverlongAnswer)) throw error;
      return http.json(Status, 'GET', status, { signal });
    }
  }

  /**
   * Returns the final state of a completed job. A failed job counts as completed; its response is an error with JSON.
   */
  async function endOf(ref: EngineRef, notes: z.infer<typeof FalNotes>, signal: AbortSignal): Promise<Snapshot> {
    try {
      const { body } = await http.call('GET', notes.response, { signal });
      return await results.read(Answer, body, answer => {
        if (answer.has_nsfw_concepts?.[0]) return { state: 'failed', error: jobFailure('nsfw content') };
        return results.endOf(ref, answer, notes);
      });
    } catch (error) {
      if (!(error instanceof EngineRefusal) || [401, 403, 429].includes(error.status)) throw error;
      const failure = Failure.safeParse(error.json).data;
      // an error of a proxy in front of fal: the result still exists
      if (!failure || (error.status >= 500 && !isOfJob(failure))) throw asLostOutput(error);
      if (failure.error_type === 'client_cancelled') return { state: 'cancelled' };
      // a 5xx means that the runner crashed in each of fal's own retries
      const mayPass = error.status >= 500 || error.headers['x-fal-retryable'] === 'true';
      return { state: 'failed', error: mayPass ? jobFailure(error.words) : refusalOf(error) };
    }
  }

  async function cancel({ data }: EngineRef): ReturnType<Engine['cancel']> {
    const notes = FalNotes.safeParse(data).data;
    // the ref of a job that was never submitted has no notes
    if (!notes) return 'too_late';
    try {
      const answer = await ifKnown(http.json(Cancelled, 'PUT', notes.cancel));
      if (!answer) return 'too_late';
      return answer.status === 'CANCELLATION_REQUESTED' ? 'requested' : 'cancelled';
    } catch (error) {
      // status ALREADY_COMPLETED
      if (error instanceof EngineRefusal && error.status === 400) return 'too_late';
      throw error;
    }
  }

  return {
    id: server.id,
    traits: {
      clientChosenId: false,
      resumable: true,
      cancelQueued: true,
      cancelRunning: true,
      progress: 'coarse',
    },

    probe: () =>
      probed(async () => {
        // the status of a nonexistent request: 404 with a valid key, refused without
        const [owner, app] = (serves[0]?.model ?? 'fal-ai/flux').split('/');
        await ifKnown(
          http.json(Status, 'GET', `/${owner}/${app}/requests/00000000-0000-4000-8000-000000000000/status`),
        );
        return { models: serves.map(({ model }) => model) };
      }),

    reserve: job => ({ id: `${job.requestId}-${job.attempt}` }),

    async submit(job, _ref, context) {
      const { model, parameters, output: at } = servedFor(serves, job);
      const create = async () => {
        const input = await replaceFiles(fillParameters(job, PROMPT_AND_SEED, parameters), file =>
          uploadToFal(file, rest, [new URL(uploads).origin, ...origins]),
        );
        const { headers, ...sent } = await jsonBody(input);
        const kept = { 'x-fal-object-lifecycle-preference': LIFETIME };
        const said = await http.json(Submitted, 'POST', `/${model}`, { ...sent, headers: { ...headers, ...kept } });
        const [status, response, cancel] = [said.status_url, said.response_url, said.cancel_url].map(pathOf);
        return { id: said.request_id, data: { output: job.output, at, status, response, cancel } };
      };
      return handOver(create, cancel, context);
    },

    poll,
    watch: (ref, context) => watchByPolling(poll, ref, context, pollMs),
    cancel,
    collect: results.collect,

    async close() {
      await results.close();
      await rest.close();
      await http.close();
    },
  };
}

/**
 * Returns the path of a URL named by fal. Only the engine's own origin is requested, since the secret is sent there.
 */
const pathOf = (address: string): string => new URL(address).pathname;
