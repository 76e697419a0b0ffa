import { z } from 'zod';
import {
  isEnded,
  type Engine,
  type EngineContext,
  type EngineJob,
  type EngineRef,
  type Snapshot,
} from '#lib/engines/engine';
import type { EngineHttp } from '#lib/engines/engine-http';
import { EngineRefusal } from '#lib/engines/engine-refusal';
import { ifKnown } from '#lib/engines/remote/if-known';
import type { OpenaiRequest } from '#lib/engines/openai/request-of';
import { jobFailure, refusalOf } from '#lib/engines/remote/job-error';
import { sentAs } from '#lib/engines/remote/request-body';
import { JobNotes } from '#lib/engines/remote/results';

const Video = z.object({
  id: z.string().regex(/^[\w.-]{1,200}$/),
  status: z.string(),
  /** Progress in percent. */
  progress: z.number().nullish(),
  /** Address of the finished file, where SGLang has moved it to a store and no longer sends it. */
  url: z
    .url({ protocol: /^https?$/ })
    .nullish()
    .catch(null),
  /** vLLM-Omni's code is a number. */
  error: z.object({ code: z.union([z.string(), z.number()]).nullish(), message: z.string().nullish() }).nullish(),
});

const WAITING = new Set(['queued', 'pending']);
const ENDED = new Set(['cancelled', 'canceled', 'deleted', 'expired']);

/** Creates, polls and cancels videos, which are jobs at the server. */
export function createVideos(http: EngineHttp): Pick<Engine, 'poll' | 'cancel'> & {
  create(job: EngineJob, asked: OpenaiRequest): Promise<EngineRef>;
} {
  async function poll(ref: EngineRef, context: EngineContext): Promise<Snapshot> {
    return (await ifKnown(look(ref, context).catch(failureIn))) ?? { state: 'lost' };
  }

  async function look({ id, data }: EngineRef, { signal }: EngineContext): Promise<Snapshot> {
    const { status, progress, url, error } = await http.json(Video, 'GET', `/v1/videos/${id}`, { signal });
    if (status === 'failed')
      return { state: 'failed', error: jobFailure([error?.code, error?.message].filter(Boolean).join(': ')) };
    if (status === 'completed') {
      const { width, height, duration } = JobNotes.parse(data).output;
      const location = url ?? `/v1/videos/${id}/content`;
      return { state: 'succeeded', output: { contentType: 'video/mp4', location, width, height, duration } };
    }
    if (WAITING.has(status)) return { state: 'queued' };
    if (ENDED.has(status)) return { state: 'cancelled' };
    return { state: 'running', progress: Math.min(1, Math.max(0, (progress ?? 0) / 100)) };
  }

  return {
    async create(job, asked) {
      const { id } = await http.json(Video, 'POST', asked.path, await sentAs(asked.parameters, asked.body));
      return { id, data: { output: job.output } satisfies JobNotes };
    },

    poll,

    /** Deletes the job together with its output. */
    async cancel(ref) {
      const before = await poll(ref, { signal: new AbortController().signal });
      if (isEnded(before)) return 'too_late';
      try {
        const answer = await ifKnown(http.call('DELETE', `/v1/videos/${ref.id}`));
        answer?.body.resume();
        return answer ? 'cancelled' : 'too_late';
      } catch (error) {
        // vLLM-Omni stops the job, but not within the two seconds that it waits
        if (error instanceof EngineRefusal && error.status === 409) return 'requested';
        throw error;
      }
    },
  };
}

/** Returns the failure of a job that was answered with the status of its error, as vLLM-Omni does; else throws. */
function failureIn(error: unknown): Snapshot {
  if (!(error instanceof EngineRefusal) || Video.safeParse(error.json).data?.status !== 'failed') throw error;
  return { state: 'failed', error: error.status >= 500 ? jobFailure(error.words) : refusalOf(error) };
}
