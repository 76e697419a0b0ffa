import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { WebSocketServer, type WebSocket } from 'ws';
import { nodeInfos, refuse } from '#lib/engines/comfyui/comfyui-test-graph';
import { answerOutput } from '#lib/engines/comfyui/comfyui-test-output';
import { createTestQueue } from '#lib/engines/comfyui/comfyui-test-queue';
import type { Graph } from '#lib/engines/comfyui/workflow';

export interface ComfyuiTestServer {
  url: string;
  secret: string;
  /** Accepted graphs, in order. */
  readonly taken: Graph[];
  /** Job ids of the received interrupts; undefined for an interrupt without an id. */
  readonly interrupts: (string | undefined)[];
  /** Names of uploaded files. */
  readonly uploads: Set<string>;
  /** Returns the content of the last uploaded file. */
  readonly lastUpload: () => Uint8Array | undefined;
  /** Restarts at the same address: closes all connections and loses the queue and the history. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export interface ComfyuiTestOptions {
  version: '0.3.64' | '0.38.1';
  /** Installed model files. */
  files?: string[];
  secret?: string;
  /** Port; defaults to a free one. */
  port?: number;
  /** Awaited after a graph was received and before it is accepted. */
  beforeTaking?: () => Promise<unknown>;
  /** Imitates older servers, which ignored job ids in interrupts, or chose the ids of jobs themselves. */
  ignoresIds?: 'to_interrupt' | 'of_jobs';
  /** Node class for which `/object_info` fails. */
  broken?: string;
  /** Whether sockets keep sending messages about a job that has ended. */
  talksOn?: boolean;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

interface PromptBody {
  prompt: Graph;
  prompt_id: string;
  client_id: string;
}

/** Starts a test double of ComfyUI, with the validation, queueing, messages and history of live servers. */
export async function startComfyui({
  version,
  files = [],
  secret = '',
  port: wanted = 0,
  beforeTaking,
  ignoresIds,
  broken,
  talksOn,
}: ComfyuiTestOptions): Promise<ComfyuiTestServer> {
  const isNew = version === '0.38.1';
  const infos = nodeInfos(files);
  const uploads = new Set<string>();
  let lastUpload: Uint8Array | undefined;
  const taken: Graph[] = [];
  const interrupts: (string | undefined)[] = [];
  const clients = new Map<string, WebSocket>();
  const queue = createTestQueue({ infos, files, send: (client, message) => clients.get(client)?.send(message) });
  const server = createServer((asked, answer) => void handle(asked, answer).catch(() => answer.destroy()));
  const sockets = new WebSocketServer({ server, path: '/ws' });
  const mayCome = ({ headers }: IncomingMessage) => !secret || headers.authorization === `Bearer ${secret}`;

  sockets.on('connection', (socket, asked) => {
    if (asked.headers.origin || !mayCome(asked)) return socket.terminate();
    const sid = new URL(asked.url!, 'http://x').searchParams.get('clientId') ?? randomUUID();
    // messages go only to the latest socket of a client id
    clients.set(sid, socket);
    socket.on('close', () => clients.delete(sid)).on('error', () => {});
    socket.send(JSON.stringify({ type: 'status', data: { status: { exec_info: { queue_remaining: 0 } }, sid } }));
    const tellNode = () => socket.send(JSON.stringify({ type: 'executing', data: { node: '1' } }));
    if (queue.isRunning(sid)) tellNode();
    if (!talksOn) return;
    clients.delete(sid);
    const talk = setInterval(tellNode, 10);
    socket.on('close', () => clearInterval(talk));
  });

  async function handle(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(asked.url!, 'http://x');
    const [, first = '', second = '', third = '', fourth = ''] = pathname.split('/').map(decodeURIComponent);
    const json = (body: unknown, status = 200) =>
      void answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const body = async <T>() => JSON.parse(await text(asked)) as T;
    if (!mayCome(asked)) return json({ error: 'unauthorized' }, 401);
    if (asked.headers.origin) return void answer.writeHead(403).end();
    switch (`${asked.method} /${first}`) {
      case 'GET /system_stats':
        return json({ system: { os: 'posix', comfyui_version: version }, devices: [] });
      case 'GET /object_info':
        if (second === broken) return void answer.writeHead(500).end('500 Internal Server Error');
        return json(second ? { ...(infos[second] && { [second]: infos[second] }) } : infos);
      case 'GET /queue':
        return json(queue.state());
      case 'GET /history':
        return json(queue.history(second));
      case 'POST /prompt': {
        const prompt = await body<PromptBody>();
        await beforeTaking?.();
        return json(...take(prompt));
      }
      case 'POST /queue':
        for (const id of (await body<{ delete: string[] }>()).delete) queue.remove(id);
        return void answer.end();
      case 'POST /interrupt':
        interrupts.push((await body<{ prompt_id?: string }>()).prompt_id);
        queue.interrupt(ignoresIds ? undefined : interrupts.at(-1));
        return void answer.end();
      case 'POST /upload':
        return json(await upload(asked));
      case 'GET /view': {
        const key = ['type', 'subfolder', 'filename'].map(name => searchParams.get(name)).join('/');
        const graph = queue.saved.get(key);
        return graph ? answerOutput(graph, key.slice(-3), answer) : void answer.writeHead(404).end();
      }
      case 'POST /api':
        if (!isNew || second !== 'jobs' || fourth !== 'cancel') return void answer.writeHead(405).end();
        return json({ cancelled: queue.remove(third) || queue.interrupt(third) });
      default:
        return void answer.writeHead(404).end('404: Not Found');
    }
  }

  function take({ prompt, prompt_id: wished, client_id }: PromptBody): [unknown, number] {
    const wrongId = {
      type: 'invalid_prompt_id',
      message: 'prompt_id must be a valid UUID',
      details: '',
      extra_info: {},
    };
    const prompt_id = ignoresIds === 'of_jobs' ? randomUUID() : wished;
    if (isNew && !UUID.test(prompt_id)) return [{ error: wrongId, node_errors: {} }, 400];
    const refusal = refuse(prompt, infos, uploads, version);
    if (refusal && 'error' in refusal) return [refusal, 400];
    const number = taken.push(prompt);
    queue.put({ number, id: prompt_id, graph: prompt, client: client_id });
    return [{ prompt_id, number, node_errors: refusal?.node_errors ?? {} }, 200];
  }

  async function upload(asked: IncomingMessage) {
    const headers = { 'content-type': asked.headers['content-type']! };
    const form = await new Response(new Uint8Array(await buffer(asked)), { headers }).formData();
    const [file, subfolder] = [form.get('image') as File, String(form.get('subfolder') ?? '')];
    lastUpload = new Uint8Array(await file.arrayBuffer());
    if (!lastUpload.length) throw new Error('an empty file');
    uploads.add(`${subfolder}/${file.name}`);
    return { name: file.name, subfolder, type: form.get('type') };
  }

  const listen = async (port: number) => once(server.listen(port, '127.0.0.1'), 'listening');
  async function stop(): Promise<void> {
    const closed = once(server, 'close');
    for (const socket of sockets.clients) socket.terminate();
    server.close().closeAllConnections();
    queue.forget();
    await closed;
  }

  await listen(wanted);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    secret,
    taken,
    interrupts,
    uploads,
    lastUpload: () => lastUpload,
    async restart() {
      await stop();
      await listen(port);
    },
    close: stop,
  };
}
