import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { driveEngine } from '#lib/engines/drive-engine';
import { EngineError, type Engine, type EngineJob, type EngineRef, type Snapshot } from '#lib/engines/engine';
import { LostAnswer } from '#lib/engines/engine-http';
import { EngineRefusal } from '#lib/engines/engine-refusal';

vi.mock('node:timers/promises', () => import('#lib/engines/test-clock'));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const STALL_MS = 60_000;
const DONE: Snapshot = {
  state: 'succeeded',
  output: { contentType: 'image/png', location: 'x', width: 1, height: 1 },
};

/** Drives a job that is polled every `everyMs` ms; the last state repeats. `streamed` are the states of its watch. */
function drive(states: Snapshot[], everyMs = 1_000, streamed: Snapshot[] = []) {
  const cancel = vi.fn<Engine['cancel']>(async () => 'cancelled');
  const saveRef = vi.fn(async () => {});
  const told: Snapshot[] = [];
  const engine: Pick<Engine, 'reserve' | 'submit' | 'watch' | 'poll' | 'cancel'> = {
    reserve: () => ({ id: '1' }),
    submit: async (_job, ref) => ref,
    async *watch() {
      for (const state of streamed) {
        yield state;
        await pause(everyMs);
      }
    },
    async poll() {
      await pause(everyMs);
      return states.length > 1 ? states.shift()! : states[0]!;
    },
    cancel,
  };
  const ended = driveEngine({
    engine: engine as Engine,
    job: { requestId: 'r', claim: 1, attempt: 1 } as EngineJob,
    saved: null,
    saveRef,
    onSnapshot: snapshot => void told.push(snapshot),
    signal: new AbortController().signal,
    stallMs: STALL_MS,
  });
  ended.catch(() => {});
  const settled = async () => {
    await vi.advanceTimersByTimeAsync(20 * STALL_MS);
    return ended;
  };
  return { settled, cancel, saveRef, told };
}

const running = (progress?: number): Snapshot => ({ state: 'running', ...(progress !== undefined && { progress }) });
const queued = (position?: number): Snapshot => ({ state: 'queued', ...(position !== undefined && { position }) });
const TIMEOUT: unknown = expect.objectContaining({ code: 'timeout', retryable: false });

test('a job that reports nothing new for the stall time is cancelled at its engine', async () => {
  const { settled, cancel } = drive([queued(), running(0.5)]);
  await expect(settled()).rejects.toEqual(TIMEOUT);
  expect(cancel).toHaveBeenCalledOnce();
});

test('a job that keeps making progress is not cancelled, however slow it is', async () => {
  const states = [queued(2), queued(1), running(), running(0.1), running(0.2), running(0.1), DONE];
  const { settled, cancel } = drive(states, 0.9 * STALL_MS);
  expect(await settled()).toEqual(DONE.state === 'succeeded' && DONE.output);
  expect(cancel).not.toHaveBeenCalled();
});

test('a job that does not advance in the queue of its engine is cancelled and may run elsewhere', async () => {
  const { settled, saveRef, cancel } = drive([queued(1)]);
  await expect(settled()).rejects.toMatchObject({ code: 'engine_unavailable', retryable: true });
  expect(cancel).toHaveBeenCalledOnce();
  expect(saveRef).toHaveBeenLastCalledWith(null);
});

test('a job waits without a time limit in a queue that reports no positions', async () => {
  const { settled, cancel } = drive([...Array.from({ length: 4 }, () => queued()), DONE], 0.9 * STALL_MS);
  expect(await settled()).toEqual(DONE.state === 'succeeded' && DONE.output);
  expect(cancel).not.toHaveBeenCalled();
});

test('the ref of a job that stalls in a queue is kept if it is too late to cancel the job', async () => {
  const { settled, saveRef, cancel } = drive([queued(1)]);
  cancel.mockResolvedValue('too_late');
  await expect(settled()).rejects.toMatchObject({ code: 'engine_unavailable', retryable: true });
  expect(saveRef).not.toHaveBeenCalledWith(null);
});

test('a state without progress does not count as news from a job', async () => {
  const streamed = Array.from({ length: 10 }, () => [running(0.5), running()]).flat();
  const { settled } = drive([DONE], 0.5 * STALL_MS, streamed);
  await expect(settled()).rejects.toEqual(TIMEOUT);
});

test('a job that repeats its progress is not cancelled while its states are marked as told', async () => {
  const streamed = Array.from({ length: 10 }, (): Snapshot => ({ state: 'running', progress: 0.5, told: true }));
  const { settled, cancel } = drive([DONE], 0.5 * STALL_MS, streamed);
  expect(await settled()).toEqual(DONE.state === 'succeeded' && DONE.output);
  expect(cancel).not.toHaveBeenCalled();
});

test('the reported progress never decreases', async () => {
  const { settled, told } = drive([DONE], 10, [running(0.6), running(0.2), running(), running(0.7)]);
  await settled();
  expect(told).toEqual([running(0.6), running(0.6), running(), running(0.7)]);
});

/** Drives a job at an engine that completes it immediately, except for `changes`. */
async function bring(changes: Partial<Engine>, saved: EngineRef | null = null, save = async () => {}) {
  const calls: string[] = [];
  const noted =
    <A extends unknown[], R>(what: string, call: (...args: A) => R) =>
    (...args: A) => (
      calls.push(`${what} ${args.map(arg => (arg as EngineRef | null)?.id ?? '').join('')}`),
      call(...args)
    );
  const engine = {
    traits: { resumable: true },
    reserve: () => ({ id: 'ours' }),
    submit: async (_job: EngineJob, ref: EngineRef) => ref,
    poll: async () => DONE,
    cancel: async () => 'cancelled',
    ...changes,
  } as Engine;
  const ended = driveEngine({
    engine: {
      ...engine,
      submit: noted('submit', engine.submit),
      poll: noted('poll', engine.poll),
      cancel: noted('cancel', engine.cancel),
    },
    job: {} as EngineJob,
    saved,
    saveRef: noted('save', save),
    onSnapshot: () => {},
    signal: new AbortController().signal,
    stallMs: STALL_MS,
  });
  const error = await ended.then(() => null).catch((error: unknown) => error);
  return { calls: calls.map(call => call.trim()), error };
}

test('the id of a job is saved before the submit, and again if the engine assigns another id', async () => {
  expect((await bring({})).calls).toEqual(['save ours', 'submit ours', 'poll ours']);
  const { calls } = await bring({ submit: async () => ({ id: 'theirs' }) });
  expect(calls).toEqual(['save ours', 'submit ours', 'save theirs', 'poll theirs']);
});

test('a job whose id cannot be saved is cancelled at its engine', async () => {
  let times = 0;
  const save = async () => {
    if (++times === 2) throw new Error('no database');
  };
  const { calls, error } = await bring({ submit: async () => ({ id: 'theirs' }) }, null, save);
  expect(calls).toEqual(['save ours', 'submit ours', 'save theirs', 'cancel theirs']);
  expect(error).toMatchObject({ message: 'no database' });
});

test.each<[string, EngineError, isKept: boolean]>([
  ['whose answer was lost', new LostAnswer('engine_unavailable', '', true), true],
  ['that was put off', new EngineRefusal('', 503, {}, ''), true],
  ['that did not get there', new EngineError('engine_unavailable', '', true), false],
  ['that is refused', new EngineRefusal('', 400, {}, ''), false],
  ['that needs a different secret', new EngineRefusal('', 401, {}, ''), false],
])('a job %s keeps its saved id only if it may exist at the engine', async (_, failure, isKept) => {
  const { calls, error } = await bring({ submit: () => Promise.reject(failure) });
  expect(calls).toEqual(['save ours', 'submit ours', ...(isKept ? [] : ['save'])]);
  expect(error).toBe(failure);
});

test('a saved job is found again if its engine is resumable, and submitted again if not', async () => {
  const saved = { id: 'left' };
  expect((await bring({}, saved)).calls).toEqual(['poll left', 'poll left']);
  const forgetful = { traits: { resumable: false } as Engine['traits'] };
  expect((await bring(forgetful, saved)).calls).toEqual(['save ours', 'submit ours', 'poll ours']);
  // not resubmitted: the next holder does that, and counts the loss
  expect((await bring({ poll: async () => ({ state: 'lost' }) }, saved)).calls).toEqual(['poll left', 'save']);
});

test('a saved job is polled again after a retryable engine error, but not if the engine is unavailable', async () => {
  const says = (error: EngineError) => {
    const poll = vi.fn(async () => DONE).mockRejectedValueOnce(error);
    return bring({ poll }, { id: 'left' });
  };
  expect((await says(new EngineError('engine_error', '', true))).calls).toEqual(['poll left', 'poll left']);
  const away = new EngineError('engine_unavailable', '', true);
  expect(await says(away)).toEqual({ calls: ['poll left'], error: away });
  const broken = new EngineError('engine_error', '', false);
  expect(await says(broken)).toEqual({ calls: ['poll left'], error: broken });
});
