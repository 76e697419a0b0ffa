import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { FormData } from 'undici';
import { z } from 'zod';
import {
  isEnded,
  type Engine,
  type EngineContext,
  type EngineRef,
  type EngineServer,
  type Snapshot,
} from '#lib/engines/engine';
import { createEngineHttp } from '#lib/engines/engine-http';
import { handOver } from '#lib/engines/remote/hand-over';
import { ifKnown } from '#lib/engines/remote/if-known';
import { fillParameters, PROMPT_AND_SEED, type BodyValue, type InputFile } from '#lib/engines/parameters';
import { failureIn, Prediction } from '#lib/engines/remote/prediction';
import { probed } from '#lib/engines/probed';
import type { ReplicateOptions } from '#lib/engines/replicate/options';
import { fileName, isInline, jsonBody, replaceFiles } from '#lib/engines/remote/request-body';
import { createResults, JobNotes } from '#lib/engines/remote/results';
import { servedFor, type TestLimits } from '#lib/engines/served';
import { progressIn, watchByPolling } from '#lib/engines/remote/watch-by-polling';

const Account = z.object({ type: z.string(), username: z.string() });
const Upload = z.object({ urls: z.object({ get: z.url() }) });
const Created = z.object({ id: z.string().regex(/^\w{1,100}$/) });

/** Creates an engine for models hosted by Replicate, which deletes files after an hour. */
export function createReplicateEngine(server: EngineServer, options: ReplicateOptions & TestLimits): Required<Engine> {
  const { serves, origins, answerMs, pollMs = 1_000 } = options;
  // the paths below include /v1, and a copied base address may or may not end in it
  const http = createEngineHttp({ ...server, url: server.url.replace(/\/v1$/, '') }, { origins, answerMs });
  const results = createResults(http);

  async function upload(file: InputFile): Promise<BodyValue> {
    const { path, contentType } = file.input;
    if (isInline(file, (await stat(path)).size)) return file;
    const form = new FormData();
    form.set('content', await openAsBlob(path, { type: contentType }), fileName(file));
    return (await http.json(Upload, 'POST', '/v1/files', { form })).urls.get;
  }

  async function poll({ id, data }: EngineRef, { signal }: EngineContext): Promise<Snapshot> {
    const notes = JobNotes.safeParse(data).data;
    // the ref of a job that was never submitted has no notes
    if (!notes) return { state: 'lost' };
    const answer = await ifKnown(http.call('GET', `/v1/predictions/${id}`, { signal }));
    if (!answer) return { state: 'lost' };
    return results.read(Prediction, answer.body, prediction => {
      switch (prediction.status) {
        case 'starting':
          return { state: 'queued' };
        case 'succeeded':
          if (prediction.data_removed) return { state: 'lost' };
          return results.endOf({ id }, prediction.output, notes);
        case 'failed':
          return { state: 'failed', error: failureIn(prediction) };
        case 'canceled':
        case 'aborted':
          return { state: 'cancelled' };
        default: {
          const progress = progressIn(prediction.logs);
          return { state: 'running', ...(progress !== undefined && { progress }) };
        }
      }
    });
  }

  async function cancel(ref: EngineRef): ReturnType<Engine['cancel']> {
    const before = await poll(ref, { signal: new AbortController().signal });
    if (isEnded(before)) return 'too_late';
    const prediction = await ifKnown(http.json(Prediction, 'POST', `/v1/predictions/${ref.id}/cancel`));
    if (!prediction || ['succeeded', 'failed'].includes(prediction.status)) return 'too_late';
    return prediction.status === 'canceled' ? 'cancelled' : 'requested';
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
        const { type, username } = await http.json(Account, 'GET', '/v1/account');
        return { models: serves.map(({ model }) => model), detail: `${type} ${username}` };
      }),

    reserve: job => ({ id: `${job.requestId}-${job.attempt}` }),

    async submit(job, _ref, context) {
      const { model, parameters, output: at } = servedFor(serves, job);
      const deployment = /^deployment:(.*)/.exec(model)?.[1];
      const create = async () => {
        const input = await replaceFiles(fillParameters(job, PROMPT_AND_SEED, parameters), upload);
        const { id } = deployment
          ? await http.json(Created, 'POST', `/v1/deployments/${deployment}/predictions`, await jsonBody({ input }))
          : await http.json(Created, 'POST', '/v1/predictions', await jsonBody({ version: model, input }));
        return { id, data: { output: job.output, at } satisfies JobNotes };
      };
      return handOver(create, cancel, context);
    },

    poll,
    watch: (ref, context) => watchByPolling(poll, ref, context, pollMs),
    cancel,
    collect: results.collect,

    async close() {
      await results.close();
      await http.close();
    },
  };
}
