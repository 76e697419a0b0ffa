import { setTimeout as pause } from 'node:timers/promises';
import { isModelFile } from '#lib/engines/comfyui/answers';
import { frame } from '#lib/engines/comfyui/comfyui-test-output';
import { inOrder } from '#lib/engines/comfyui/find-node';
import type { NodeInfos } from '#lib/engines/comfyui/node-info';
import type { Graph, GraphNode } from '#lib/engines/comfyui/workflow';

interface TestJob {
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

interface QueueOptions {
  infos: NodeInfos;
  /** Installed model files. */
  files: string[];
  /** Sends a message to the latest socket of a client. */
  send: (client: string, message: string | Uint8Array) => void;
}

const STEP_MS = 4;
const BLUR_MS = 100;

/** Creates a queue that runs one job at a time, by number, and keeps a history until `forget`. */
export function createTestQueue({ infos, files, send }: QueueOptions) {
  const saved = new Map<string, Graph>();
  let count = 0;
  let pending: TestJob[] = [];
  let running: TestJob | null = null;
  let interrupted = false;
  let history: Record<string, unknown> = {};
  let cache = new Map<string, Outputs>();

  const tell = ({ id, client }: TestJob, type: string, data: object) =>
    send(client, JSON.stringify({ type, data: { ...data, prompt_id: id } }));

  async function work(): Promise<void> {
    const job = pending.toSorted((a, b) => a.number - b.number)[0];
    if (running || !job) return;
    pending = pending.filter(other => other !== job);
    running = job;
    interrupted = false;
    const messages: [string, object][] = [];
    const note = (type: string, data: object = {}) => {
      messages.push([type, { prompt_id: job.id, ...data }]);
      tell(job, type, data);
    };
    note('execution_start');
    // a graph identical to an earlier one is not run again
    const known = cache.get(JSON.stringify(job.graph));
    note('execution_cached', { nodes: known ? Object.keys(job.graph) : [] });
    const outputs = known ?? {};
    const failure = known ? null : await execute(job, outputs);
    if (running !== job) return;
    if (failure) note(...failure);
    else note('execution_success');
    if (!failure) cache.set(JSON.stringify(job.graph), outputs);
    running = null;
    const status = { status_str: failure ? 'error' : 'success', completed: !failure, messages };
    const prompt = [job.number, job.id, job.graph, {}, []];
    history[job.id] = { prompt, outputs: failure ? {} : outputs, status };
    tell(job, 'executing', { node: null });
    void work();
  }

  async function execute(job: TestJob, outputs: Outputs): Promise<[string, object] | null> {
    for (const node of inOrder(job.graph).toReversed()) {
      const { class_type, inputs } = job.graph[node]!;
      tell(job, 'executing', { node, display_node: node });
      const steps = inputs.latent_image ? stepsOf(job.graph) : 1;
      for (let value = 1; value <= steps; value++) {
        await pause(class_type === 'ImageBlur' ? BLUR_MS : STEP_MS);
        if (running !== job) return null;
        if (interrupted) return ['execution_interrupted', { node_id: node, node_type: class_type, executed: [] }];
        if (steps === 1) continue;
        tell(job, 'progress_state', { nodes: { [node]: { value, max: steps, state: 'running', node_id: node } } });
        tell(job, 'progress', { value, max: steps, node });
        send(job.client, await frame());
      }
      const fault = faultOf(job.graph[node]!);
      if (fault) return ['execution_error', { node_id: node, node_type: class_type, ...fault }];
      if (infos[class_type]!.output_node) outputs[node] = save(job.graph, node);
    }
    return null;
  }

  function faultOf({ inputs }: GraphNode): object | null {
    const file = Object.values(inputs).find(value => isModelFile(value) && !files.includes(value));
    if (typeof file === 'string')
      return {
        exception_type: 'FileNotFoundError',
        exception_message: `Model in folder 'text_encoders' with filename '${file}' not found.`,
      };
    if (inputs.width !== 8192) return null;
    const exception_message = 'Allocation on device\nThis error means you ran out of memory on your GPU.';
    return { exception_type: 'torch.OutOfMemoryError', exception_message, traceback: [], current_inputs: {} };
  }

  function save(graph: Graph, node: string): Outputs[string] {
    const { class_type, inputs } = graph[node]!;
    const prefix = String(inputs.filename_prefix ?? 'temp');
    const [extension, kind] = FILES[class_type] ?? ['png', 'images'];
    const type = class_type === 'PreviewImage' ? 'temp' : 'output';
    const at = prefix.lastIndexOf('/');
    const subfolder = prefix.slice(0, Math.max(0, at));
    const filename = `${prefix.slice(at + 1)}_${String(++count).padStart(5, '0')}_.${extension}`;
    saved.set(`${type}/${subfolder}/${filename}`, graph);
    return { [kind]: [{ filename, subfolder, type }], ...(extension === 'mp4' && { animated: [true] }) };
  }

  return {
    saved,
    isRunning: (client: string) => running?.client === client,
    history: (id: string) => (history[id] ? { [id]: history[id] } : {}),
    state: () => {
      const item = ({ number, id, graph, client }: TestJob) => [number, id, graph, { client_id: client }, []];
      return { queue_running: running ? [item(running)] : [], queue_pending: pending.map(item) };
    },
    put(job: TestJob): void {
      pending.push(job);
      void work();
    },
    remove(id: string): boolean {
      const before = pending.length;
      pending = pending.filter(job => job.id !== id);
      return pending.length < before;
    },
    /** Interrupts the running job if it has this id, or any running job without an id. */
    interrupt: (id?: string): boolean => Boolean(running && (!id || running.id === id) && (interrupted = true)),
    forget(): void {
      [running, pending, history, cache] = [null, [], {}, new Map()];
    },
  };
}

const FILES: Record<string, [extension: string, kind: string]> = {
  SaveVideo: ['mp4', 'images'],
  SaveAudioMP3: ['mp3', 'audio'],
};

const stepsOf = (graph: Graph): number =>
  Number(Object.values(graph).find(({ inputs }) => inputs.steps)?.inputs.steps ?? 1);
