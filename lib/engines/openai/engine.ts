import { z } from 'zod';
import type { Engine, EngineContext, EngineRef, EngineServer } from '#lib/engines/engine';
import { createEngineHttp } from '#lib/engines/engine-http';
import { asJob, handOver } from '#lib/engines/remote/hand-over';
import { createHeldCalls } from '#lib/engines/remote/held-calls';
import type { OpenaiOptions } from '#lib/engines/openai/options';
import { requestOf, type OpenaiRequest } from '#lib/engines/openai/request-of';
import { createVideos } from '#lib/engines/openai/videos';
import { probed } from '#lib/engines/probed';
import { sentAs } from '#lib/engines/remote/request-body';
import { createResults } from '#lib/engines/remote/results';
import { servedFor, type TestLimits } from '#lib/engines/served';
import { SpooledFile } from '#lib/engines/remote/spool';
import { watchByPolling } from '#lib/engines/remote/watch-by-polling';

const Models = z.object({ data: z.array(z.object({ id: z.string() })) });

const Text = z.union([z.string(), z.instanceof(SpooledFile)]).nullish();
const Pictures = z.object({ data: z.array(z.object({ b64_json: Text, url: Text })) });

/**
 * Creates an engine for an OpenAI-compatible media server. Calls for images and sound respond when the work is done;
 * they are held open here and are lost when this process ends. Videos are jobs at the server.
 */
export function createOpenaiEngine(server: EngineServer, options: OpenaiOptions & TestLimits): Required<Engine> {
  const { serves, origins, answerMs, pollMs = 1_000 } = options;
  // the paths below include /v1, and a copied base address may or may not end in it
  const url = server.url.replace(/\/v1$/, '');
  const http = createEngineHttp({ ...server, url }, { origins, answerMs });
  const results = createResults(http);
  const held = createHeldCalls(results);
  const videos = createVideos(http);

  /** Sends a request and passes the response to `use`: the images that it lists, or the file that it is. */
  async function answerTo<R>(
    { path, parameters, body, answer }: OpenaiRequest,
    signal: AbortSignal,
    use: (answer: unknown) => Promise<R>,
  ): Promise<R> {
    const sent = await sentAs(parameters, body);
    const answered = await http.call('POST', path, { ...sent, signal, patient: true });
    if (answer === 'bytes') return use(await results.take(answered.body));
    return results.read(Pictures, answered.body, ({ data }) => {
      const pictures = data.map(({ b64_json, url: address }) => {
        if (typeof address === 'string') return { url: URL.parse(address, `${url}/`)?.href };
        return address
          ? { url: address }
          : { b64_json: typeof b64_json === 'string' ? `data:;base64,${b64_json}` : b64_json };
      });
      return use({ data: pictures });
    });
  }

  const poll = async (ref: EngineRef, context: EngineContext) =>
    ref.data ? videos.poll(ref, context) : held.poll(ref, context);

  return {
    id: server.id,
    traits: {
      clientChosenId: false,
      resumable: serves.some(({ call }) => call === 'videos'),
      cancelQueued: true,
      cancelRunning: true,
      progress: serves.some(({ call }) => call === 'videos') ? 'coarse' : 'none',
    },

    probe: () =>
      probed(async () => {
        const { data } = await http.json(Models, 'GET', '/v1/models');
        return { models: data.map(({ id }) => id) };
      }),

    reserve: job => ({ id: `${job.requestId}-${job.attempt}` }),

    async submit(job, ref, context) {
      const served = servedFor(serves, job);
      const asked = await requestOf(served, job);
      if (asked.answer === 'job') return handOver(() => videos.create(job, asked), videos.cancel, context);
      // a response that is the file itself has no path to look in
      const at = asked.answer === 'files' ? served.output : undefined;
      const notes = { output: job.output, at };
      const run = (signal: AbortSignal) => answerTo(asked, signal, answer => results.outputOf(ref, answer, notes));
      held.start(ref.id, context, signal => asJob(run(signal)));
      return ref;
    },

    poll,
    watch: (ref, context) => (ref.data ? watchByPolling(poll, ref, context, pollMs) : held.watch(ref, context)),
    cancel: ref => (ref.data ? videos.cancel(ref) : held.cancel(ref)),
    collect: results.collect,

    async close() {
      await held.close();
      await results.close();
      await http.close();
    },
  };
}
