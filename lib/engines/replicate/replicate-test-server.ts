import { randomUUID } from 'node:crypto';
import { createTestModel, type Run } from '#lib/engines/remote/model-test-server';
import { json, originOf, startTestService, streamOf, type TestService } from '#lib/engines/remote/service-test-server';

interface ReplicateTestServer extends TestService {
  /** Inputs of the created predictions, each with its model. */
  readonly asked: Record<string, unknown>[];
  /** Bytes of the uploaded files, by URL. */
  readonly uploads: Map<string, Buffer>;
}

const KINDS = { 'test/film': 'video', 'test/sound': 'audio' } as const;
const STATES = {
  queued: 'starting',
  running: 'processing',
  succeeded: 'succeeded',
  failed: 'failed',
  cancelled: 'canceled',
};

/** Starts a test double of Replicate's API and file host, which are separate hosts at the real service. */
export async function startReplicate({ secret }: { secret: string }): Promise<ReplicateTestServer> {
  const model = createTestModel();
  const asked: ReplicateTestServer['asked'] = [];
  const uploads: ReplicateTestServer['uploads'] = new Map();

  const describe = (run: Run, origin: string) => ({
    id: run.id,
    status: STATES[run.state],
    logs: ` ${Math.round(run.progress * 100)}%|████      | 1/4 [00:00<00:01]\n`,
    error: run.error ?? null,
    output:
      run.state === 'succeeded'
        ? run.files.map((file, nth) => `${origin}/files/${run.id}/out-${nth}.${file.extension}`)
        : null,
    urls: { get: `${origin}/v1/predictions/${run.id}`, cancel: `${origin}/v1/predictions/${run.id}/cancel` },
  });

  async function create(request: Request, name: string): Promise<Response> {
    const { input } = (await request.json()) as { input: { prompt?: string; seed?: number } };
    if (name === 'test/no-such-model')
      return json({ title: 'Not found', detail: 'The model test/no-such-model does not exist', status: 404 }, 404);
    if (!input.prompt)
      return json({ title: 'Input validation failed', detail: '- input: prompt is required\n', status: 422 }, 422);
    asked.push({ ...input, model: name });
    const id = randomUUID().replaceAll('-', '');
    const type = KINDS[name as keyof typeof KINDS] ?? 'image';
    return json(
      describe(model.submit({ id, prompt: input.prompt, type, seed: input.seed ?? 0 }), originOf(request)),
      201,
    );
  }

  async function answer(request: Request, route: string): Promise<Response> {
    const [, fileOf, nth] = /^GET \/files\/(\w+)\/out-(\d+)/.exec(route) ?? [];
    if (fileOf) {
      const file = model.runs.get(fileOf)?.files[Number(nth)];
      return file
        ? new Response(streamOf(file.bytes), { headers: { 'content-type': file.contentType } })
        : json({}, 404);
    }
    if (request.headers.get('authorization') !== `Bearer ${secret}`)
      return json(
        { title: 'Unauthenticated', detail: 'You did not pass a valid authentication token', status: 401 },
        401,
      );
    if (route === 'GET /v1/account') return json({ type: 'organization', username: 'acme', name: 'Acme' });
    if (route === 'POST /v1/files') return keep(await request.formData(), originOf(request));
    const deployment = /^POST \/v1\/deployments\/(.+)\/predictions$/.exec(route)?.[1];
    if (deployment) return create(request, deployment);
    if (route === 'POST /v1/predictions') {
      const { version } = (await request.clone().json()) as { version: string };
      return create(request, version.split(':')[0]!);
    }
    const [, method, id = '', part] = /^(GET|POST) \/v1\/predictions\/(\w+)(\/cancel)?$/.exec(route) ?? [];
    const run = model.runs.get(id);
    if (!run || (method === 'POST') !== (part === '/cancel')) return json({ detail: 'Not found.', status: 404 }, 404);
    if (part) model.cancel(id);
    return json(describe(run, originOf(request)));
  }

  async function keep(form: FormData, origin: string): Promise<Response> {
    const file = form.get('content') as File;
    const address = `${origin}/v1/files/${randomUUID()}`;
    uploads.set(address, Buffer.from(await file.arrayBuffer()));
    return json({ id: 'f', name: file.name, content_type: file.type, size: file.size, urls: { get: address } }, 201);
  }

  const service = await startTestService(answer, model.forget);
  return { ...service, asked, uploads };
}
