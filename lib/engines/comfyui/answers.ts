import { z } from 'zod';
import { EngineError, type Snapshot } from '#lib/engines/engine';
import { TYPES_BY_EXTENSION } from '#lib/engines/output-type';
import { JobNotes } from '#lib/engines/remote/results';
import type { OutputSpec } from '#lib/output-spec';

/** Response shapes of ComfyUI, reduced to the members used here. */
const QueueItem = z.tuple([z.number(), z.string()], z.unknown());
export const Queue = z.object({ queue_running: z.array(QueueItem), queue_pending: z.array(QueueItem) });
const Item = z.object({
  filename: z.string().min(1),
  subfolder: z.string().default(''),
  type: z.string().default('output'),
});
const HistoryEntry = z.object({
  outputs: z.record(z.string(), z.record(z.string(), z.unknown())),
  status: z
    .object({ status_str: z.string(), messages: z.array(z.tuple([z.string(), z.unknown()])).default([]) })
    .nullish()
    .transform(status => status ?? { status_str: 'success', messages: [] }),
});
export const History = z.record(z.string(), HistoryEntry);
export const Accepted = z.object({ prompt_id: z.string(), node_errors: z.unknown().optional() });
export const Uploaded = z.object({ name: z.string().min(1), subfolder: z.string().default('') });
export const SystemStats = z.object({ system: z.object({ comfyui_version: z.string().optional() }) });
export const Cancelled = z.object({ cancelled: z.boolean() });

/** Facts about a job that a poll needs besides its id; saved in its ref. */
export const ComfyuiNotes = JobNotes.pick({ output: true }).extend({
  /** Id of the node whose file is the result, where the workflow names one. */
  node: z.string().optional(),
  /** Ids of the nodes that work in steps. */
  steps: z.array(z.string()),
});
export type ComfyuiNotes = z.infer<typeof ComfyuiNotes>;

/** Returns the final state of a job from its history entry. */
export function endOf(entry: z.infer<typeof HistoryEntry>, notes: ComfyuiNotes): Snapshot {
  if (entry.status.status_str === 'success') return resultOf(entry.outputs, notes);
  const [event, detail] = entry.status.messages.findLast(([event]) => ENDS.has(event)) ?? [];
  return event === 'execution_interrupted'
    ? { state: 'cancelled' }
    : { state: 'failed', error: executionError(detail) };
}

const ENDS = new Set(['execution_error', 'execution_interrupted']);

function resultOf(outputs: z.infer<typeof HistoryEntry>['outputs'], { output, node }: ComfyuiNotes): Snapshot {
  const files = Object.entries(outputs)
    .filter(([id]) => node === undefined || id === node)
    .flatMap(([, kinds]) => Object.values(kinds))
    // outputs also contain flags and texts
    .flatMap(items => (Array.isArray(items) ? items.flatMap(item => Item.safeParse(item).data ?? []) : []))
    .map(file => ({
      ...file,
      contentType: TYPES_BY_EXTENSION[file.filename.split('.').at(-1)!.toLowerCase()] ?? 'unknown',
    }));
  const fitting = files.filter(({ contentType }) => contentType.startsWith(`${output.type}/`));
  const file = fitting.find(({ type }) => type === 'output') ?? fitting[0];
  if (!file) return { state: 'failed', error: nothing(files, output) };
  const { filename, subfolder, type, contentType } = file;
  const location = `/view?${new URLSearchParams({ filename, subfolder, type })}`;
  const { width, height, duration } = output;
  return {
    state: 'succeeded',
    output: { contentType, location, width, height, ...(output.type !== 'image' && { duration }) },
  };
}

function nothing(files: { filename: string }[], { type }: OutputSpec): EngineError {
  const made = files.map(({ filename }) => filename).join(', ') || 'no file';
  return new EngineError('engine_error', `the workflow made ${made} where its architecture promises ${type}`, false);
}

const ExecutionError = z.object({
  node_type: z.string().default('a node'),
  exception_type: z.string().default(''),
  exception_message: z.string().default(''),
});

function executionError(detail: unknown): EngineError {
  const { node_type, exception_type, exception_message } = ExecutionError.parse(detail ?? {});
  const said = `${node_type}: ${exception_message.trim().split('\n')[0] || exception_type || 'failed without a word'}`;
  // some loaders look for their file only when they run, not at validation
  const [, file] = /filename '([^']+)' not found/.exec(exception_message) ?? [];
  if (file) return new EngineError('model_missing', `the server lacks the file ${file} (${node_type})`, false);
  const isMemory = /OutOfMemory/.test(exception_type) || /out of memory|allocation on device/i.test(exception_message);
  // not retryable: the server has already retried with its other models unloaded
  return isMemory ? new EngineError('out_of_memory', said, false) : new EngineError('engine_error', said, true);
}

const NodeErrors = z.record(
  z.string(),
  z.object({
    class_type: z.string().default('a node'),
    errors: z.array(
      z.object({
        type: z.string(),
        message: z.string().default(''),
        details: z.string().default(''),
        extra_info: z.object({ input_name: z.string().optional(), received_value: z.unknown().optional() }).optional(),
      }),
    ),
  }),
);
const Refused = z.object({
  error: z.object({ type: z.string(), message: z.string().default(''), details: z.string().default('') }).optional(),
  node_errors: NodeErrors.or(z.tuple([])).optional(),
});

const MODEL_FILE = /\.(safetensors|sft|ckpt|pt|pth|bin|gguf|onnx)$/i;

/** Whether an input value is the name of a model file. */
export const isModelFile = (value: unknown): value is string => typeof value === 'string' && MODEL_FILE.test(value);

/** Returns why a graph was refused, or accepted only in part; null when the response contains no errors. */
export function refusalOf(answer: unknown): EngineError | null {
  const { data } = Refused.safeParse(answer);
  const problems = Object.values(data?.node_errors ?? {}).flatMap(({ class_type, errors }) =>
    errors.map(error => ({ class_type, ...error })),
  );
  const missing = problems.flatMap(({ type, extra_info }) =>
    type === 'value_not_in_list' && isModelFile(extra_info?.received_value) ? extra_info.received_value : [],
  );
  if (missing.length)
    return new EngineError('model_missing', `the server lacks the files ${[...new Set(missing)].join(', ')}`, false);
  if (problems.length) {
    const said = problems
      .map(({ class_type, message, details }) => `${class_type}: ${message} (${details})`)
      .join('; ');
    return new EngineError('invalid_input', said.slice(0, 1000), false);
  }
  if (!data?.error) return null;
  const { type, message, details } = data.error;
  const said = `${message} ${details}`.trim();
  const lacksNode = type === 'missing_node_type' || /does not exist|not found/.test(message);
  return new EngineError(lacksNode ? 'model_missing' : 'engine_error', said || type, false);
}
