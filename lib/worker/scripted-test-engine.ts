import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { Engine, EngineJob, EngineRef, EngineTraits, Snapshot } from '#lib/engines/engine';
import type { EngineEntry } from '#lib/engines/engines-file';
import type { Server } from '#lib/engines/server';

/** An engine that says what it is told to, and remembers what it was asked. */
export interface ScriptedEngine extends Engine {
  calls: string[];
  jobs: EngineJob[];
  /** What it answers to each poll, the last one again and again; a function may wait. */
  polls: (Snapshot | Error | ((signal: AbortSignal) => Promise<Snapshot>))[];
  submits: (EngineRef | Error)[];
}

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export const DONE: Snapshot = {
  state: 'succeeded',
  output: { contentType: 'image/png', location: 'pixel', width: 1, height: 1, finished: true },
};

export function scriptedEngine(traits: Partial<EngineTraits> = {}): ScriptedEngine {
  const calls: string[] = [];
  const engine: ScriptedEngine = {
    id: 'scripted',
    traits: {
      clientChosenId: true,
      resumable: true,
      cancelQueued: true,
      cancelRunning: true,
      progress: 'coarse',
      ...traits,
    },
    calls,
    jobs: [],
    polls: [DONE],
    submits: [],
    probe: async () => ({ ok: true, models: [] }),
    reserve: ({ requestId, attempt }) => ({ id: `${requestId}/${attempt}` }),
    async submit(job, ref) {
      calls.push(`submit ${ref.id.slice(-1)}`);
      engine.jobs.push(job);
      const answer = engine.submits.shift() ?? ref;
      if (answer instanceof Error) throw answer;
      return answer;
    },
    async poll(_ref, { signal }) {
      calls.push('poll');
      const answer = engine.polls.length > 1 ? engine.polls.shift() : engine.polls[0];
      if (answer instanceof Error) throw answer;
      return typeof answer === 'function' ? answer(signal) : answer!;
    },
    async cancel() {
      calls.push('cancel');
      return 'cancelled';
    },
    async collect() {
      calls.push('collect');
      return Readable.from([PIXEL]);
    },
  };
  return engine;
}

export const serverOf = (engine: Engine, id = 'scripted/1'): Server => ({
  id,
  engine: 'scripted',
  places: 1,
  shared: false,
  lines: ['preview'],
  loads: false,
  rank: 0,
  use: work => work(engine),
});

/** The engine as `engines.json` could name it, with a server that every worker may give work. */
export const entryOf = (engine: Engine, architecture: string): EngineEntry => ({
  id: 'scripted',
  type: 'comfyui',
  paused: false,
  servers: [{ id: 'one', url: 'http://localhost' }],
  options: {},
  serves: () => [{ architecture }],
  create: async () => engine,
  places: 1,
  loads: true,
});

/** A poll that never answers by itself. */
export const never = async (signal: AbortSignal): Promise<Snapshot> => {
  await pause(2 ** 30, undefined, { signal });
  throw new Error('unreachable');
};
