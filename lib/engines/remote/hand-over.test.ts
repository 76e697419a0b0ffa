import { expect, test, vi } from 'vitest';
import { EngineError, type EngineRef } from '#lib/engines/engine';
import { LostAnswer } from '#lib/engines/engine-http';
import { EngineRefusal } from '#lib/engines/engine-refusal';
import { callOff, handOver } from '#lib/engines/remote/hand-over';

process.env.LOG_LEVEL = 'silent';

/** Submits a job to a server that has not responded yet. */
function rig() {
  const stop = new AbortController();
  const answer = Promise.withResolvers<EngineRef>();
  const create = vi.fn(() => answer.promise);
  const cancel = vi.fn(async () => 'cancelled');
  return { stop, answer, create, cancel, handOver: () => handOver(create, cancel, stop) };
}

test('a job that the server accepts after its caller aborted is cancelled', async () => {
  const { stop, answer, cancel, handOver } = rig();
  const handed = handOver();
  stop.abort('enough');
  await expect(handed).rejects.toBe('enough');
  expect(cancel).not.toHaveBeenCalled();
  answer.resolve({ id: '1' });
  await vi.waitFor(() => expect(cancel).toHaveBeenCalledWith({ id: '1' }));
});

test('a job is not submitted if its caller has already aborted', async () => {
  const { stop, create, handOver } = rig();
  stop.abort('enough');
  await expect(handOver()).rejects.toBe('enough');
  expect(create).not.toHaveBeenCalled();
});

test.each<[string, EngineError, object]>([
  ['is refused', new EngineRefusal('', 400, {}, ''), { code: 'invalid_input', retryable: false }],
  // the job may have been taken and charged
  ['is not answered', new LostAnswer('engine_unavailable', 'lost', true), { retryable: false, message: 'lost' }],
  ['does not get there', new EngineError('engine_unavailable', 'away', true), { retryable: true }],
])('a job that %s is not cancelled at the server', async (_, failure, expected) => {
  const { answer, cancel, handOver } = rig();
  answer.reject(failure);
  const error = await handOver().catch((error: unknown) => error);
  expect(error).toMatchObject(expected);
  expect(error).not.toBeInstanceOf(LostAnswer);
  expect(cancel).not.toHaveBeenCalled();
});

test('a failed cancellation is ignored', async () => {
  await callOff(Promise.reject(new Error('away')));
});
