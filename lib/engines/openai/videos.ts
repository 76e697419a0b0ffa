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
import { ifKnown } from '#lib/engines/remote/if-known';
import type { OpenaiRequest } from '#lib/engines/openai/request-of';
import { jobFailure } from '#lib/engines/remote/job-error';
import { sentAs } from '#lib/engines/remote/request-body';
import { JobNotes } from '#lib/engines/remote/results';

const Video = z.object({
  id: z.string().regex(/^[\w.-]{1,200}$/),
  status: z.string(),
  /** Progress in percent. */
  progress: z.number().nullish(),
  error: z.object({ code: z.string().nullish(), message: z.string().nullish() }).nullish(),
});

const WAITING = new Set(['queued', 'pending']);
const ENDED = new Set(['cancelled', 'canceled', 'deleted', 'expired']);

/** Creates, polls and cancels videos, which are jobs at the server. */
export function createVideos(http: EngineHttp): Pick<Engine, 'poll' | 'cancel'> & {
  create(job: EngineJob, asked: OpenaiRequest): Promise<EngineRef>;
} {
  async function poll({ id, data }: EngineRef, { signal }: EngineContext): Promise<Snapshot> {
    const video = await ifKnown(http.json(Video, 'GET', `/v1/videos/${id}`, { signal }));
    if (!video) return { state: 'lost' };
    const { status, progress, error } = video;
    if (status === 'failed')
      return { state: 'failed', error: jobFailure([error?.code, error?.message].filter(Boolean).join(': ')) };
    if (status === 'completed') {
      const { width, height, duration } = JobNotes.parse(data).output;
      const location = `/v1/videos/${id}/content`;
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
      const answer = await ifKnown(http.call('DELETE', `/v1/videos/${ref.id}`));
      answer?.body.resume();
      return answer ? 'cancelled' : 'too_late';
    },
  };
}
