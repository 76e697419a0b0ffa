import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { Engine, EngineJob, EngineRef, EngineTraits, Snapshot } from '#lib/engines/engine';
import type { EngineEntry } from '#lib/engines/engines-file';
import type { Server } from '#lib/engines/server';

/** An engine with scripted responses that records its calls. */
export interface ScriptedEngine extends Engine {
  calls: string[];
  jobs: EngineJob[];
  /** Responses to successive polls; the last one repeats. */
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

/** Returns an `engines.json` entry for the engine, with one shared server. */
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

/** A poll that never resolves and rejects when aborted. */
export const never = async (signal: AbortSignal): Promise<Snapshot> => {
  await pause(2 ** 30, undefined, { signal });
  throw new Error('unreachable');
};
