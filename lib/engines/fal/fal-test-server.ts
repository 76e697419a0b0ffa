import { randomUUID } from 'node:crypto';
import { createTestModel, type Run } from '#lib/engines/remote/model-test-server';
import { json, originOf, startTestService, streamOf, type TestService } from '#lib/engines/remote/service-test-server';

interface FalTestServer extends TestService {
  /** Inputs of the received requests, each with its model. */
  readonly asked: Record<string, unknown>[];
  /** Sizes of the uploaded files, by file name. */
  readonly uploads: Map<string, number>;
}

const KINDS = { film: 'video', sound: 'audio' } as const;

/** Starts a test double of fal's queue, uploads and file host, which are separate hosts at the real service. */
export async function startFal({ secret }: { secret: string }): Promise<FalTestServer> {
  const model = createTestModel();
  const apps = new Map<string, string>();
  const asked: FalTestServer['asked'] = [];
  const uploads: FalTestServer['uploads'] = new Map();

  async function submit(request: Request, owner: string, app: string): Promise<Response> {
    const input = (await request.json()) as { prompt?: string; seed?: number };
    if (app === 'no-such-model') return json({ detail: "Application 'no-such-model' not found" }, 404);
    asked.push({ ...input, model: `${owner}/${app}` });
    const id = randomUUID();
    apps.set(id, `${owner}/${app}`);
    model.submit({
      id,
      prompt: input.prompt ?? '',
      type: KINDS[app as keyof typeof KINDS] ?? 'image',
      seed: input.seed ?? 0,
    });
    const base = `${originOf(request)}/${owner}/${app}/requests/${id}`;
    return json({
      status: 'IN_QUEUE',
      request_id: id,
      response_url: base,
      status_url: `${base}/status`,
      cancel_url: `${base}/cancel`,
      queue_position: 0,
    });
  }

  async function answer(request: Request, route: string): Promise<Response> {
    const [method, first = '', second = '', third, id = '', part] = route.split(/ \/|\//);
    if (method === 'GET' && first === 'files') {
      const file = model.runs.get(second)?.files[parseInt(third!, 10)];
      return file ? new Response(streamOf(file.bytes)) : json({ detail: 'Not Found' }, 404);
    }
    if (method === 'PUT' && first === 'put') {
      uploads.set(second, (await request.arrayBuffer()).byteLength);
      return new Response('');
    }
    if (request.headers.get('authorization') !== `Key ${secret}`)
      return json({ detail: 'Cannot access application: Invalid Key' }, 401);
    if (first === 'storage') {
      const name = randomUUID();
      return json({
        upload_url: `${originOf(request)}/put/${name}?signature=s`,
        file_url: `${originOf(request)}/uploaded/${name}`,
      });
    }
    if (method === 'POST') return submit(request, first, second);
    const run = model.runs.get(id);
    if (!run || apps.get(id) !== `${first}/${second}`)
      return json({ detail: 'Request not found', status: 'NOT_FOUND' }, 404);
    if (part === 'status') return statusOf(run, model.position(run));
    if (part !== 'cancel') return resultOf(run, originOf(request));
    const waits = run.state === 'queued';
    if (!model.cancel(id)) return json({ status: 'ALREADY_COMPLETED' }, 400);
    return json({ status: waits ? 'OK' : 'CANCELLATION_REQUESTED' }, waits ? 200 : 202);
  }

  const service = await startTestService(answer, model.forget);
  return { ...service, asked, uploads };
}

function statusOf({ state, progress }: Run, place: number): Response {
  if (state === 'queued') return json({ status: 'IN_QUEUE', queue_position: place }, 202);
  if (state !== 'running') return json({ status: 'COMPLETED', logs: [], metrics: { inference_time: 1 } });
  const logs = [{ message: ` ${Math.round(progress * 100)}%|███   | 1/4`, level: 'STDERR' }];
  return json({ status: 'IN_PROGRESS', logs }, 202);
}

function resultOf({ id, state, error, prompt, type, files }: Run, origin: string): Response {
  if (state === 'cancelled') return json({ detail: 'Request was cancelled', error_type: 'client_cancelled' }, 499);
  const loc = ['body', 'prompt'];
  if (!prompt) return json({ detail: [{ loc, msg: 'Field required', type: 'missing', input: {} }] }, 422);
  if (prompt.includes('refused')) {
    const msg = 'The content could not be processed.';
    return json({ detail: [{ loc, msg, type: 'content_policy_violation', input: prompt }] }, 422);
  }
  if (state === 'failed') return json({ detail: error, error_type: 'runner_server_error' }, 500);
  const described = files.map(({ contentType, extension }, nth) => ({
    url: `${origin}/files/${id}/${nth}.${extension}`,
    content_type: contentType,
    file_name: `${nth}.${extension}`,
    file_size: 1,
  }));
  if (type === 'video') return json({ video: described[0], seed: 1 });
  if (type === 'audio') return json({ audio_file: described[0] });
  return json({
    images: described.map(file => ({ ...file, width: 200, height: 160 })),
    timings: { inference: 1 },
    seed: 1,
    has_nsfw_concepts: files.map(() => prompt.includes('black')),
    prompt,
  });
}
