import { base64Of, createTestModel, type Run } from '#lib/engines/remote/model-test-server';
import { json, startTestService, streamOf, type TestService } from '#lib/engines/remote/service-test-server';

interface CogTestServer extends TestService {
  /** Inputs of the started runs. */
  readonly begun: Record<string, unknown>[];
}

interface Asked {
  prompt: string;
  seed?: number;
  image?: string;
}

const KINDS = { film: 'video', sound: 'audio' } as const;

/**
 * Starts a test double of a Cog container. `coglet`, the newer server, looks for a run with the same id before it
 * validates the input, and ends a run when its caller disconnects; the older server does neither.
 */
export async function startCog({ coglet, secret }: { coglet: boolean; secret: string }): Promise<CogTestServer> {
  const model = createTestModel();
  const begun: CogTestServer['begun'] = [];

  async function predict(request: Request, id: string): Promise<Response> {
    const { input } = (await request.json()) as { input: Asked };
    const known = model.runs.get(id);
    const underWay = known && (known.state === 'running' || known.state === 'queued') ? known : undefined;
    const valid = typeof input === 'object' && typeof input.prompt === 'string';
    const refusal = {
      detail: [{ loc: ['body', 'input', 'prompt'], msg: 'field required', type: 'value_error.missing' }],
    };
    if (!valid && !(coglet && underWay)) return json(refusal, 422);
    if (underWay) return json({ id, status: 'processing', logs: logsOf(underWay), input }, 202);
    if (model.isBusy()) return json({ error: 'At capacity - all prediction slots busy', status: 'failed' }, 409);
    begun.push({ ...input });
    const kind = KINDS[input.prompt.split(' ')[0] as keyof typeof KINDS] ?? 'image';
    const run = model.submit({ id, prompt: input.prompt, type: kind, seed: input.seed ?? 0 });
    if (coglet) request.signal.addEventListener('abort', () => model.cancel(id));
    return finished(await run.ended);
  }

  async function answer(request: Request, route: string): Promise<Response> {
    if (request.headers.get('authorization') !== `Bearer ${secret}`) return json({ detail: 'Unauthorized' }, 401);
    if (route === 'GET /health-check')
      return json({
        status: model.isBusy() ? 'BUSY' : 'READY',
        setup: { status: 'succeeded' },
        ...(coglet && { version: { coglet: '0.17.0', cog: '0.17.0', python: '3.13.0' } }),
      });
    if (route === 'GET /openapi.json') {
      const properties = {
        prompt: { type: 'string' },
        seed: { type: 'integer' },
        image: { type: 'string', format: 'uri' },
      };
      return json({ openapi: '3.0.2', info: { title: 'Cog' }, components: { schemas: { Input: { properties } } } });
    }
    const [, method, id = '', part] = /^(PUT|POST) \/predictions\/([\w-]+)(\/cancel)?$/.exec(route) ?? [];
    if (method === 'PUT' && !part) return predict(request, id);
    if (method === 'POST' && part) return json({}, model.cancel(id) ? 200 : 404);
    return json({ detail: 'Not Found' }, 404);
  }

  const service = await startTestService(answer, model.forget);
  return { ...service, begun };
}

const logsOf = ({ progress }: Run) => `loading\n ${Math.round(progress * 100)}%|████      | 1/4 [00:00<00:01]\n`;

function finished({ id, state, error, files }: Run): Response {
  if (state === 'cancelled') return json({ id, status: 'canceled', logs: '' });
  if (state === 'failed') return json({ id, status: 'failed', error, logs: '' });
  async function* text() {
    yield `{"id":"${id}","status":"succeeded","logs":"","output":[`;
    for (const [index, file] of files.entries()) {
      yield `${index ? ',' : ''}"data:${file.contentType};base64,`;
      yield* base64Of(file);
      yield '"';
    }
    yield '],"metrics":{"predict_time":1}}';
  }
  return new Response(streamOf(text()), { headers: { 'content-type': 'application/json' } });
}
