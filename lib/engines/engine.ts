import type { Readable } from 'node:stream';
import { briefly } from '#lib/beginning';
import type { OutputSpec } from '#lib/output-spec';

/** Roles that an architecture can give to an input file. */
export type InputRole =
  'first_frame' | 'last_frame' | 'reference' | 'mask' | 'source_video' | 'voice' | 'audio_reference';

/** An input file of a job, already fetched, checked and stored. `path` is readable on the worker's machine. */
export interface JobInput {
  role: InputRole;
  path: string;
  contentType: string;
  /** Handle of the mention in the prompt that added this file; undefined for other inputs. */
  handle?: string;
  /** An additional image of a character that has one already; an engine that accepts fewer images may omit it. */
  spare?: true;
}

/** A generation, as passed to an engine. */
export interface EngineJob {
  requestId: string;
  /** Incremented each time a worker claims the request; an engine inside the process may use it to name its jobs. */
  claim: number;
  /** 1 for the first attempt. An interrupted job keeps its number, unless it moves to another server. */
  attempt: number;
  architecture: string;
  modelId: string;
  prompt: string;
  /** 0..4294967295. Always set: a random seed is drawn at submit when the client sends none. */
  seed: number;
  /** The resolved config: every field of the architecture, with defaults filled in. */
  config: Readonly<Record<string, unknown>>;
  output: OutputSpec;
  inputs: JobInput[];
}

/** Identifies a job at its engine. Saved with the request so that another worker can find the job again. */
export interface EngineRef {
  id: string;
  data?: Record<string, unknown>;
}

export interface EngineTraits {
  /** Whether Pomona chooses the job's id, before submitting. */
  clientChosenId: boolean;
  /** Whether another process can poll a saved ref after a crash. */
  resumable: boolean;
  cancelQueued: boolean;
  cancelRunning: boolean;
  progress: 'steps' | 'coarse' | 'none';
}

export type EngineErrorCode =
  'invalid_input' | 'model_missing' | 'out_of_memory' | 'engine_unavailable' | 'engine_error' | 'timeout';

/** Maximum length of an error message in characters; an engine's own text may be much longer. */
const MOST_WORDS = 2_000;

/**
 * Why an engine could not do a job. `message` is for the log. `retryable` says whether another attempt can help; for
 * `engine_unavailable` it also means that retries do not count as attempts.
 */
export class EngineError extends Error {
  readonly code: EngineErrorCode;
  readonly retryable: boolean;
  /** Seconds to wait before another attempt, when the engine named a delay. */
  readonly retryAfter: number | undefined;

  constructor(
    code: EngineErrorCode,
    message: string,
    retryable: boolean,
    options?: ErrorOptions & { retryAfter?: number | undefined },
  ) {
    super(briefly(message, MOST_WORDS), options);
    this.name = 'EngineError';
    this.code = code;
    this.retryable = retryable;
    this.retryAfter = options?.retryAfter;
  }
}

/** The job is done and its server answers, but the output cannot be downloaded. This may be permanent. */
export class LostOutput extends EngineError {
  constructor({ message, cause }: EngineError) {
    super('engine_unavailable', `what was made does not get here: ${message}`, true, { cause });
  }
}

/** A finished file at the engine, not yet stored. */
export interface EngineOutput {
  contentType: string;
  /** Where `collect` finds the file, in a form that only the engine interprets. */
  location: string;
  width: number;
  height: number;
  /** Duration in seconds; absent for images. */
  duration?: number;
  /** Set when the file is in the stored form already (PNG, MP4 or MP3 with Pomona's tags) and needs no conversion. */
  finished?: true;
}

export type Snapshot =
  | { state: 'queued'; position?: number }
  | {
      state: 'running';
      /** Progress, 0..1. */
      progress?: number;
      /** A sign of life from the job itself, even when its progress is unchanged. Only from `watch`. */
      told?: true;
      /** Preview of the unfinished image: a small JPEG, PNG or WebP. Only from `watch`. */
      frame?: { contentType: 'image/jpeg' | 'image/png' | 'image/webp'; bytes: Uint8Array };
    }
  | { state: 'succeeded'; output: EngineOutput }
  | { state: 'failed'; error: EngineError }
  | { state: 'cancelled' }
  /** The engine does not know the ref, or no longer knows it. */
  | { state: 'lost' };

/** How a job ended. */
export type Ended = Exclude<Snapshot, { state: 'queued' | 'running' }>;

export const isEnded = (snapshot: Snapshot): snapshot is Ended =>
  snapshot.state !== 'queued' && snapshot.state !== 'running';

/** Address and credentials of one server of an engine, as passed to its connector. */
export interface EngineServer {
  /** Unique within its engine. */
  id: string;
  /** Base address, without a trailing slash. */
  url: string;
  /** Sent in the way the engine's type requires. Never logged and never part of an API response. */
  secret?: string;
}

export interface EngineContext {
  /** Aborted when the request is cancelled or the worker stops. */
  signal: AbortSignal;
}

export interface ProbeResult {
  ok: boolean;
  version?: string;
  models: string[];
  /** Names of the files, nodes or models that are missing for a variant. A variant that is not listed can be served. */
  lacks?: { architecture: string; modelId: string; names: string[] }[];
  detail?: string;
}

/** One server that runs generations. Its methods throw only `EngineError`, or the reason of an aborted signal. */
export interface Engine {
  readonly id: string;
  readonly traits: EngineTraits;
  /** Reports whether the server answers and which models it has. Never throws. */
  probe(): Promise<ProbeResult>;
  /** Makes the ref of a job; with `traits.clientChosenId` it holds the job's final id. Pure. Saved before `submit`. */
  reserve(job: EngineJob): EngineRef;
  /** Submits the job. Returns `ref`, or, where the engine chooses the ids, a new ref to be saved in its place. */
  submit(job: EngineJob, ref: EngineRef, context: EngineContext): Promise<EngineRef>;
  /** Returns the current state of the job. An engine may report the final state only once. */
  poll(ref: EngineRef, context: EngineContext): Promise<Snapshot>;
  /** Advisory stream of state changes, which ends when the job does; `poll` is authoritative. */
  watch?(ref: EngineRef, context: EngineContext): AsyncIterable<Snapshot>;
  /** Cancels the job, on a best-effort basis. */
  cancel(ref: EngineRef): Promise<'cancelled' | 'requested' | 'too_late' | 'unsupported'>;
  /** Streams the output's bytes. The caller reads the stream to its end or destroys it; both delete temporary files. */
  collect(output: EngineOutput, context: EngineContext): Promise<Readable>;
  /** Releases threads, sockets and temporary files, before the process stops or the engine is replaced. */
  close?(): Promise<void>;
}
