import { z } from 'zod';
import { type Engine, type EngineContext, type EngineRef, type EngineServer, type Snapshot } from '#lib/engines/engine';
import { createEngineHttp, OverlongAnswer } from '#lib/engines/engine-http';
import { asLostOutput, EngineRefusal } from '#lib/engines/engine-refusal';
import type { FalOptions } from '#lib/engines/fal/options';
import { uploadToFal } from '#lib/engines/fal/upload';
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
/** A runner that fell has a type of its own; a model that failed lists what went wrong. */
const isOfJob = ({ detail, error_type }: z.infer<typeof Failure>): boolean =>
  Boolean(error_type) || Array.isArray(detail);
const Cancelled = z.object({ status: z.string() });
/** Beside the files: whether a checker blackened them. */
const Answer = z.looseObject({ has_nsfw_concepts: z.array(z.boolean()).nullish() });

/** What is saved of a job: where to ask for it, as fal said, for it does not follow from the model's id. */
const FalNotes = JobNotes.extend({ status: z.string(), response: z.string(), cancel: z.string() });

const authorize = (secret: string) => ({ authorization: `Key ${secret}` });

const UPLOADS = 'https://rest.fal.ai';

/** Files are copied as soon as they are made: fal need not keep them longer than a day. */
const LIFETIME = { 'x-fal-object-lifecycle-preference': JSON.stringify({ expiration_duration_seconds: 86_400 }) };

/** Models hosted by fal, by way of its queue. */
export function createFalEngine(server: EngineServer, options: FalOptions & TestLimits): Required<Engine> {
  const { serves, origins = [], uploads = UPLOADS, answerMs, pollMs = 1_000 } = options;
  const http = createEngineHttp(server, { authorize, origins, answerMs });
  const rest = createEngineHttp({ ...server, url: uploads }, { authorize, answerMs });
  const results = createResults(http);

  async function poll({ id, data }: EngineRef, { signal }: EngineContext): Promise<Snapshot> {
    const notes = FalNotes.safeParse(data).data;
    // a job that was never handed over has none
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

  /** With its logs, which tell the progress, as long as they are not too long to be read. */
  async function statusOf({ status }: z.infer<typeof FalNotes>, signal: AbortSignal): Promise<z.infer<typeof Status>> {
    try {
      return await http.json(Status, 'GET', status, { query: { logs: '1' }, signal });
    } catch (error) {
      if (!(error instanceof OverlongAnswer)) throw error;
      return http.json(Status, 'GET', status, { signal });
    }
  }

  /** A job that failed is completed too: then its answer is a refusal, which says why in JSON. */
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
      // what stands before fal says so of itself: the result is still there
      if (!failure || (error.status >= 500 && !isOfJob(failure))) throw asLostOutput(error);
      if (failure.error_type === 'client_cancelled') return { state: 'cancelled' };
      // whoever ran it fell, and did so at each of fal's own tries
      return { state: 'failed', error: error.status >= 500 ? jobFailure(error.words) : refusalOf(error) };
    }
  }

  async function cancel({ data }: EngineRef): ReturnType<Engine['cancel']> {
    const notes = FalNotes.safeParse(data).data;
    // a job that was never handed over has none
    if (!notes) return 'too_late';
    try {
      const answer = await ifKnown(http.json(Cancelled, 'PUT', notes.cancel));
      if (!answer) return 'too_late';
      return answer.status === 'CANCELLATION_REQUESTED' ? 'requested' : 'cancelled';
    } catch (error) {
      // ALREADY_COMPLETED
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
        // of a request that nobody made: unknown to whoever has a key, refused to others
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
        const said = await http.json(Submitted, 'POST', `/${model}`, { ...sent, headers: { ...headers, ...LIFETIME } });
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

/** The path of an address that fal names. It is asked for at the engine's own address: the secret goes nowhere else. */
const pathOf = (address: string): string => new URL(address).pathname;
