import { randomUUID } from 'node:crypto';
import { base64Of, createTestModel, type Asked, type Run, type TestFile } from '#lib/engines/remote/model-test-server';
import { json, startTestService, streamOf, type TestService } from '#lib/engines/remote/service-test-server';

interface OpenaiTestServer extends TestService {
  /** Bodies of the received requests; a file is written as its name, type and size. */
  readonly asked: Record<string, string[]>[];
}

/** Starts a test double of media servers with OpenAI's API, including their common extensions. */
export async function startOpenai({ secret }: { secret: string }): Promise<OpenaiTestServer> {
  const model = createTestModel();
  const asked: OpenaiTestServer['asked'] = [];

  async function begin(request: Request, id: string, type: Asked['type']): Promise<Run | Response> {
    const body = await bodyOf(request);
    asked.push(body);
    const prompt = (body.prompt ?? body.input)?.[0];
    if (!prompt) return refuse(400, 'Missing required parameter: prompt', 'missing_required_parameter');
    if (body.model?.[0] === 'no-such-model')
      return refuse(404, 'The model `no-such-model` does not exist.', 'model_not_found');
    if (prompt.includes('refused'))
      return refuse(400, 'Your request was rejected by the safety system.', 'moderation_blocked');
    const [width, height] = (body.size?.[0] ?? '200x160').split('x').map(Number);
    const seed = body.seed?.[0];
    return model.submit({ id, prompt, type, width, height, ...(seed && { seed: Number(seed) }) });
  }

  /** Holds the call open until the run has ended; cancels the run when the caller disconnects. */
  async function held(request: Request, type: Asked['type']): Promise<Run | Response> {
    const run = await begin(request, randomUUID(), type);
    if (run instanceof Response) return run;
    request.signal.addEventListener('abort', () => model.cancel(run.id));
    const { state, error } = await run.ended;
    return state === 'failed' ? refuse(500, error ?? '', 'server_error') : run;
  }

  const describe = ({ id, state, progress, error }: Run) => ({
    id,
    object: 'video',
    status: { queued: 'queued', running: 'in_progress', succeeded: 'completed', failed: 'failed', cancelled: 'failed' }[
      state
    ],
    // these servers report only 0 and 100
    progress: state === 'succeeded' ? 100 : Math.floor(progress) * 100,
    error: error ? { code: 'server_error', message: error } : null,
  });

  async function answer(request: Request, route: string): Promise<Response> {
    if (request.headers.get('authorization') !== `Bearer ${secret}`)
      return refuse(401, `Incorrect API key provided: ${request.headers.get('authorization')}`, 'invalid_api_key');
    if (route === 'GET /v1/models')
      return json({ object: 'list', data: [{ id: 'test-model', object: 'model', owned_by: 'tests' }] });
    if (route === 'POST /v1/images/generations' || route === 'POST /v1/images/edits') {
      const run = await held(request, 'image');
      return run instanceof Response ? run : pictures(run.files);
    }
    if (route === 'POST /v1/audio/speech' || route === 'POST /v1/audio/generate') {
      const run = await held(request, 'audio');
      if (run instanceof Response) return run;
      const [file] = run.files;
      return new Response(file ? streamOf(file.bytes) : '', {
        headers: { 'content-type': file?.contentType ?? 'audio/mpeg' },
      });
    }
    if (route === 'POST /v1/videos') {
      const run = await begin(request, `video_${randomUUID()}`, 'video');
      return run instanceof Response ? run : json(describe(run));
    }
    return video(route);
  }

  function video(route: string): Response {
    const [, method, id, part] = /^(GET|DELETE) \/v1\/videos\/([\w-]+)(\/content)?$/.exec(route) ?? [];
    const run = model.runs.get(id ?? '');
    if (!run) return json({ detail: 'Video not found' }, 404);
    if (method === 'DELETE') {
      model.cancel(run.id);
      model.runs.delete(run.id);
      return json({ id, object: 'video.deleted', deleted: true });
    }
    const [file] = run.files;
    if (part)
      return file ? new Response(streamOf(file.bytes)) : json({ detail: 'Generation is still in-progress' }, 404);
    return json(describe(run));
  }

  const service = await startTestService(answer, model.forget);
  return { ...service, asked };
}

const refuse = (status: number, message: string, code: string) =>
  json({ error: { message, type: 'invalid_request_error', param: null, code } }, status);

function pictures(files: TestFile[]): Response {
  async function* text() {
    yield '{"created":1,"data":[';
    for (const [index, file] of files.entries()) {
      yield `${index ? ',' : ''}{"revised_prompt":null,"url":null,"b64_json":"`;
      yield* base64Of(file);
      yield '"}';
    }
    yield ']}';
  }
  return new Response(streamOf(text()), { headers: { 'content-type': 'application/json' } });
}

async function bodyOf(request: Request): Promise<Record<string, string[]>> {
  if (request.headers.get('content-type')?.startsWith('application/json'))
    return Object.fromEntries(
      Object.entries((await request.json()) as object).map(([name, value]) => [name, [value].flat().map(String)]),
    );
  const form = await request.formData();
  const names = [...new Set(form.keys())];
  const written = (value: FormDataEntryValue) =>
    typeof value === 'string' ? value : `${value.name} ${value.type} ${value.size}`;
  return Object.fromEntries(names.map(name => [name, form.getAll(name).map(written)]));
}
