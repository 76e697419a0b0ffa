import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import sharp from 'sharp';
import { WebSocketServer, type WebSocket } from 'ws';
import { nodeInfos, refuse } from '#lib/engines/comfyui/comfyui-test-graph';
import { isModelFile } from '#lib/engines/comfyui/answers';
import { inOrder } from '#lib/engines/comfyui/find-node';
import type { Graph } from '#lib/engines/comfyui/workflow';
import { encodeImage } from '#lib/media/encode-image';
import { makeAv } from '#lib/media/media-test-files';

export interface ComfyuiTestServer {
  url: string;
  secret: string;
  /** Graphs that were taken, in order. */
  readonly taken: Graph[];
  /** Names of uploaded files. */
  readonly uploads: Set<string>;
  /** Forgets queue and history, breaks every connection, and is there again at the same address. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export interface ComfyuiTestOptions {
  version: '0.3.64' | '0.38.1';
  /** Weights that are installed. */
  files?: string[];
  secret?: string;
}

interface Job {
  number: number;
  id: string;
  graph: Graph;
  client: string;
}
interface SavedFile {
  filename: string;
  subfolder: string;
  type: string;
}
type Outputs = Record<string, Record<string, SavedFile[] | boolean[]>>;

const STEP_MS = 4;
const BLUR_MS = 100;
const HUGE_PIXELS = 200_000_000;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Stands in for a ComfyUI: what it asks, refuses, queues, tells and forgets is what live ones did; it only draws worse. */
export async function startComfyui({
  version,
  files = [],
  secret = '',
}: ComfyuiTestOptions): Promise<ComfyuiTestServer> {
  const isNew = version === '0.38.1';
  const infos = nodeInfos(files);
  const uploads = new Set<string>();
  const saved = new Map<string, Graph>();
  const taken: Graph[] = [];
  let count = 0;
  let pending: Job[] = [];
  let running: Job | null = null;
  let interrupted = false;
  let history: Record<string, unknown> = {};
  let cache = new Map<string, Outputs>();
  const clients = new Map<string, WebSocket>();
  const server = createServer((asked, answer) => void handle(asked, answer).catch(() => answer.destroy()));
  const sockets = new WebSocketServer({ server, path: '/ws' });
  sockets.on('connection', (socket, asked) => {
    const id = new URL(asked.url!, 'http://x').searchParams.get('clientId') ?? randomUUID();
    if (asked.headers.origin || (secret && asked.headers.authorization !== `Bearer ${secret}`))
      return socket.terminate();
    // only the latest socket of an id is told anything
    clients.set(id, socket);
    socket.on('close', () => clients.delete(id)).on('error', () => {});
    socket.send(
      JSON.stringify({ type: 'status', data: { status: { exec_info: { queue_remaining: pending.length } }, sid: id } }),
    );
    if (running?.client === id) socket.send(JSON.stringify({ type: 'executing', data: { node: '1' } }));
  });

  const tell = ({ id, client }: Job, type: string, data: object) =>
    clients.get(client)?.send(JSON.stringify({ type, data: { ...data, prompt_id: id } }));

  async function work(): Promise<void> {
    const job = pending.toSorted((a, b) => a.number - b.number)[0];
    if (running || !job) return;
    pending = pending.filter(other => other !== job);
    running = job;
    interrupted = false;
    const messages: [string, object][] = [];
    const note = (type: string, data: object = {}) => (
      messages.push([type, { prompt_id: job.id, ...data }]),
      tell(job, type, data)
    );
    note('execution_start');
    const known = cache.get(JSON.stringify(job.graph));
    note('execution_cached', { nodes: known ? Object.keys(job.graph) : [] });
    const outputs = known ?? {};
    const failure = known ? null : await execute(job, outputs);
    if (running !== job) return;
    if (failure) note(...failure);
    else {
      cache.set(JSON.stringify(job.graph), outputs);
      note('execution_success');
    }
    running = null;
    const status = { status_str: failure ? 'error' : 'success', completed: !failure, messages };
    history[job.id] = { prompt: [job.number, job.id, job.graph, {}, []], outputs: failure ? {} : outputs, status };
    tell(job, 'executing', { node: null });
    void work();
  }

  async function execute(job: Job, outputs: Outputs): Promise<[string, object] | null> {
    for (const node of inOrder(job.graph).toReversed()) {
      const { class_type, inputs } = job.graph[node]!;
      tell(job, 'executing', { node, display_node: node });
      const steps = inputs.latent_image ? stepsOf(job.graph) : 1;
      for (let value = 1; value <= steps; value++) {
        await delay(class_type === 'ImageBlur' ? BLUR_MS : STEP_MS);
        if (running !== job) return null;
        if (interrupted) return ['execution_interrupted', { node_id: node, node_type: class_type, executed: [] }];
        if (steps === 1) continue;
        tell(job, 'progress_state', { nodes: { [node]: { value, max: steps, state: 'running', node_id: node } } });
        tell(job, 'progress', { value, max: steps, node });
        clients.get(job.client)?.send(await frame());
      }
      const file = Object.values(inputs).find(value => isModelFile(value) && !files.includes(value));
      if (file) {
        const exception_message = `Model in folder 'text_encoders' with filename '${String(file)}' not found.`;
        return ['execution_error', { node_type: class_type, exception_message, exception_type: 'FileNotFoundError' }];
      }
      if (Number(inputs.width) === 8192) {
        const exception_message = 'Allocation on device\nThis error means you ran out of memory on your GPU.';
        return [
          'execution_error',
          {
            node_id: node,
            node_type: class_type,
            exception_message,
            exception_type: 'torch.OutOfMemoryError',
            traceback: [],
            current_inputs: {},
          },
        ];
      }
      if (infos[class_type]!.output_node)
        outputs[node] = save(class_type, job.graph, String(inputs.filename_prefix ?? 'temp'));
    }
    return null;
  }

  function save(className: string, graph: Graph, prefix: string): Outputs[string] {
    const at = prefix.lastIndexOf('/');
    const [type, kind, extension] =
      className === 'SaveVideo'
        ? ['output', 'images', 'mp4']
        : className === 'SaveAudioMP3'
          ? ['output', 'audio', 'mp3']
          : className === 'PreviewImage'
            ? ['temp', 'images', 'png']
            : ['output', 'images', 'png'];
    const filename = `${prefix.slice(at + 1)}_${String(++count).padStart(5, '0')}_.${extension}`;
    const subfolder = prefix.slice(0, Math.max(0, at));
    saved.set(`${type}/${subfolder}/${filename}`, graph);
    return { [kind]: [{ filename, subfolder, type }], ...(extension === 'mp4' && { animated: [true] }) };
  }

  async function handle(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(asked.url!, 'http://x');
    const [, first = '', second = '', third = '', fourth = ''] = pathname.split('/').map(decodeURIComponent);
    const json = (body: unknown, status = 200) =>
      void answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (secret && asked.headers.authorization !== `Bearer ${secret}`) return json({ error: 'unauthorized' }, 401);
    if (asked.headers.origin) return void answer.writeHead(403).end();
    switch (`${asked.method} /${first}`) {
      case 'GET /system_stats':
        return json({ system: { os: 'posix', comfyui_version: version }, devices: [] });
      case 'GET /object_info':
        return json(second ? { ...(infos[second] && { [second]: infos[second] }) } : infos);
      case 'GET /queue': {
        const item = ({ number, id, graph, client }: Job) => [number, id, graph, { client_id: client }, []];
        return json({ queue_running: running ? [item(running)] : [], queue_pending: pending.map(item) });
      }
      case 'GET /history':
        return json(history[second] ? { [second]: history[second] } : {});
      case 'POST /prompt':
        return json(...take(JSON.parse(await text(asked)) as { prompt: Graph; prompt_id: string; client_id: string }));
      case 'POST /queue':
        for (const id of (JSON.parse(await text(asked)) as { delete: string[] }).delete) dequeue(id);
        return void answer.end();
      case 'POST /interrupt':
        interrupt((JSON.parse(await text(asked)) as { prompt_id?: string }).prompt_id);
        return void answer.end();
      case 'POST /upload':
        return json(await upload(asked));
      case 'GET /view':
        return view(
          `${searchParams.get('type')}/${searchParams.get('subfolder')}/${searchParams.get('filename')}`,
          answer,
        );
      case 'POST /api':
        if (isNew && second === 'jobs' && fourth === 'cancel')
          return json({ cancelled: dequeue(third) || interrupt(third) });
        return void answer.writeHead(405).end('405: Method Not Allowed');
      default:
        return void answer.writeHead(404).end('404: Not Found');
    }
  }

  function take({
    prompt,
    prompt_id,
    client_id,
  }: {
    prompt: Graph;
    prompt_id: string;
    client_id: string;
  }): [unknown, number] {
    const wrongId = {
      type: 'invalid_prompt_id',
      message: 'prompt_id must be a valid UUID',
      details: '',
      extra_info: {},
    };
    if (isNew && !UUID.test(prompt_id)) return [{ error: wrongId, node_errors: {} }, 400];
    const refusal = refuse(prompt, infos, uploads, version);
    if (refusal && 'error' in refusal) return [refusal, 400];
    const job = { number: taken.push(prompt), id: prompt_id, graph: prompt, client: client_id };
    pending.push(job);
    void work();
    return [{ prompt_id, number: job.number, node_errors: refusal?.node_errors ?? {} }, 200];
  }

  function dequeue(id: string): boolean {
    const before = pending.length;
    pending = pending.filter(job => job.id !== id);
    return pending.length < before;
  }

  const interrupt = (id?: string): boolean => Boolean(running && (!id || running.id === id) && (interrupted = true));

  async function upload(asked: IncomingMessage) {
    const headers = { 'content-type': asked.headers['content-type']! };
    const form = await new Response(new Uint8Array(await buffer(asked)), { headers }).formData();
    const [file, subfolder] = [form.get('image') as File, String(form.get('subfolder') ?? '')];
    if (!(await file.arrayBuffer()).byteLength) throw new Error('an empty file');
    uploads.add(`${subfolder}/${file.name}`);
    return { name: file.name, subfolder, type: form.get('type') };
  }

  async function view(key: string, answer: ServerResponse): Promise<void> {
    const graph = saved.get(key);
    if (!graph) return void answer.writeHead(404).end();
    const inputs = Object.assign({}, ...Object.values(graph).map(node => node.inputs)) as Record<string, unknown>;
    const [width, height] = [Number(inputs.width ?? 64), Number(inputs.height ?? 64)];
    if (width * height > HUGE_PIXELS) {
      answer.writeHead(200, { 'content-length': width * height });
      const piece = Buffer.alloc(1 << 20);
      for (let left = width * height; left > 0; left -= piece.length)
        if (!answer.write(piece.subarray(0, left))) await once(answer, 'drain');
      return void answer.end();
    }
    const extension = key.slice(-3);
    answer.end(
      extension === 'png'
        ? await draw(graph, width, height, Number(inputs.color ?? inputs.seed ?? 0))
        : await (extension === 'mp4' ? makeAv('mp4') : makeAv('mp3', { videos: 0 })),
    );
  }

  const listen = async (port: number) => once(server.listen(port, '127.0.0.1'), 'listening');
  async function stop(): Promise<void> {
    const closed = once(server, 'close');
    for (const socket of sockets.clients) socket.terminate();
    server.close().closeAllConnections();
    [running, pending, history, cache] = [null, [], {}, new Map()];
    await closed;
  }

  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    secret,
    taken,
    uploads,
    restart: async () => (await stop(), void (await listen(port))),
    close: stop,
  };
}

const stepsOf = (graph: Graph): number =>
  Number(Object.values(graph).find(({ inputs }) => inputs.steps)?.inputs.steps ?? 1);

/** With the graph inside, as real ones have it. */
async function draw(graph: Graph, width: number, height: number, colour: number): Promise<Buffer> {
  const data = Buffer.alloc(width * height * 3);
  for (let at = 0; at < data.length; at++) data[at] = (colour >> ((at % 3) * 8)) & 255;
  const tags = { architecture: '', modelId: '', prompt: JSON.stringify(graph), seed: 0, settings: {} };
  return encodeImage({ data, width, height, channels: 3 }, tags);
}

let jpeg: Promise<Buffer> | undefined;
/** Event 1, format 1: what samplers send of each step. */
async function frame(): Promise<Buffer> {
  jpeg ??= sharp({ create: { width: 32, height: 32, channels: 3, background: '#345' } })
    .jpeg()
    .toBuffer();
  return Buffer.concat([Buffer.from([0, 0, 0, 1, 0, 0, 0, 1]), await jpeg]);
}
