import type { Readable } from 'node:stream';
import { briefly } from '#lib/beginning';
import type { OutputSpec } from '#lib/output-spec';

/** The media roles an architecture can give to an input file. */
export type InputRole =
  'first_frame' | 'last_frame' | 'reference' | 'mask' | 'source_video' | 'voice' | 'audio_reference';

/** An input file of a job: already fetched, checked and stored; `path` is readable on the worker's machine. */
export interface JobInput {
  role: InputRole;
  path: string;
  contentType: string;
  /** The handle that brought it in, when a mention did. */
  handle?: string;
  /** A further picture of somebody who is there already: an engine that takes fewer may go without. */
  spare?: true;
}

/** One generation as an engine sees it. */
export interface EngineJob {
  requestId: string;
  /** Raised each time that a worker takes the request: what only lives in this process may be named by it. */
  claim: number;
  /** 1 for the first try; a job that was only interrupted keeps its number, unless it is made at another server. */
  attempt: number;
  architecture: string;
  modelId: string;
  prompt: string;
  /** 0..4294967295; always set: a random one was drawn at submit when the client gave none. */
  seed: number;
  /** The resolved config: every field of the architecture, defaults folded in. */
  config: Readonly<Record<string, unknown>>;
  output: OutputSpec;
  inputs: JobInput[];
}

/** Names a job at its engine; saved with the request so that another worker can find it again. */
export interface EngineRef {
  id: string;
  data?: Record<string, unknown>;
}

export interface EngineTraits {
  /** The job's id is chosen by us, before submitting. */
  clientChosenId: boolean;
  /** A saved ref can be polled by another process after a crash. */
  resumable: boolean;
  cancelQueued: boolean;
  cancelRunning: boolean;
  progress: 'steps' | 'coarse' | 'none';
}

export type EngineErrorCode =
  'invalid_input' | 'model_missing' | 'out_of_memory' | 'engine_unavailable' | 'engine_error' | 'timeout';

/** Characters of a message: an engine may say as much as its answers may hold. */
const MOST_WORDS = 2_000;

/**
 * Why an engine could not do a job. `message` is for the log; `retryable` says whether another attempt can help, and of an
 * engine that is unavailable, whether it may be tried as often as one likes.
 */
export class EngineError extends Error {
  readonly code: EngineErrorCode;
  readonly retryable: boolean;
  /** Seconds to leave the engine alone before another attempt, when it said so. */
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

/** A job is done, and what it made does not get here, though its server tells of it: that may be so for ever. */
export class LostOutput extends EngineError {
  constructor({ message, cause }: EngineError) {
    super('engine_unavailable', `what was made does not get here: ${message}`, true, { cause });
  }
}

/** A finished file at the engine, not yet stored. */
export interface EngineOutput {
  contentType: string;
  /** Where `collect` finds it: meaning is the engine's own. */
  location: string;
  width: number;
  height: number;
  /** Seconds; absent for images. */
  duration?: number;
  /** It is in the form in which outputs are stored already: PNG, MP4 or MP3, with our tags. Everything else is measured anew. */
  finished?: true;
}

export type Snapshot =
  | { state: 'queued'; position?: number }
  | {
      state: 'running';
      /** 0..1. */
      progress?: number;
      /** The job itself said something just now, only from `watch`: it goes on, though its progress may be what it was. */
      told?: true;
      /** What the picture looks like so far: a small JPEG, PNG or WebP, only from `watch`. */
      frame?: { contentType: 'image/jpeg' | 'image/png' | 'image/webp'; bytes: Uint8Array };
    }
  | { state: 'succeeded'; output: EngineOutput }
  | { state: 'failed'; error: EngineError }
  | { state: 'cancelled' }
  /** The engine does not know the ref (any more). */
  | { state: 'lost' };

/** How a job ended. */
export type Ended = Exclude<Snapshot, { state: 'queued' | 'running' }>;

export const isEnded = (snapshot: Snapshot): snapshot is Ended =>
  snapshot.state !== 'queued' && snapshot.state !== 'running';

/** Where one server of an engine is and how to talk to it, as its connector takes it. */
export interface EngineServer {
  /** Unique within its engine. */
  id: string;
  /** Base address, without a slash at the end. */
  url: string;
  /** Sent as the engine's type wants it; never logged, never in an answer. */
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
  /** What it lacks, by name, of what it is to serve; a model that is not listed here can be served. */
  lacks?: { architecture: string; modelId: string; names: string[] }[];
  detail?: string;
}

/** One server that runs generations. Implementations throw only `EngineError`, or the reason of an aborted signal. */
export interface Engine {
  readonly id: string;
  readonly traits: EngineTraits;
  /** Whether it answers, and with which models. Never throws. */
  probe(): Promise<ProbeResult>;
  /** Pure: makes the job's id when `traits.clientChosenId`. Saved before `submit`. */
  reserve(job: EngineJob): EngineRef;
  /** Hands the job over. Gives what to ask for it by: `ref`, or where the engine makes its ids another one, to be saved in its place. */
  submit(job: EngineJob, ref: EngineRef, context: EngineContext): Promise<EngineRef>;
  /** How the job stands now; the end of one may be told once only. */
  poll(ref: EngineRef, context: EngineContext): Promise<Snapshot>;
  /** Advisory stream of states as they change; `poll` decides. Ends when the job does. */
  watch?(ref: EngineRef, context: EngineContext): AsyncIterable<Snapshot>;
  /** Best effort. */
  cancel(ref: EngineRef): Promise<'cancelled' | 'requested' | 'too_late' | 'unsupported'>;
  /** The output's bytes. The caller reads it to its end or destroys it; temporary files go with it. */
  collect(output: EngineOutput, context: EngineContext): Promise<Readable>;
  /** Lets go of threads, sockets and temporary files, for a process that stops. */
  close?(): Promise<void>;
}
