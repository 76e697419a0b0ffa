import { beforeEach, expect, test, vi } from 'vitest';
import { singleton } from '#lib/singleton';
import { supervise } from '#lib/process/supervise';

const log = { error: vi.fn() };
singleton('log', () => log);

function fakes() {
  const made: { end: () => void; stop: ReturnType<typeof vi.fn> }[] = [];
  const waiting: (() => void)[] = [];
  const start = async () => {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const stop = vi.fn(async () => end());
    made.push({ end, stop });
    for (const wake of waiting.splice(0)) wake();
    return { ended, stop };
  };
  const nth = async (n: number) => {
    while (made.length < n) await new Promise<void>(wake => waiting.push(wake));
    return made[n - 1]!;
  };
  return { made, start, nth };
}

beforeEach(() => log.error.mockClear());

test('a part that ends is restarted, and the restart is logged', async () => {
  const { start, nth } = fakes();
  const supervised = await supervise('part', start);
  (await nth(1)).end();
  (await nth(2)).end();
  await nth(3);
  expect(log.error).toHaveBeenCalledWith(
    expect.objectContaining({ name: 'part' }),
    expect.stringContaining('starting it again'),
  );
  await supervised.stop();
});

test('a part that is stopped is not restarted', async () => {
  const { made, start, nth } = fakes();
  const supervised = await supervise('part', start);
  await supervised.stop();
  expect((await nth(1)).stop).toHaveBeenCalled();
  expect(made).toHaveLength(1);
  expect(log.error).not.toHaveBeenCalled();
});

test('a first start that fails rejects supervise; a restart that fails is logged and retried', async () => {
  await expect(supervise('part', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  const { start, nth } = fakes();
  let refusals = 1;
  const supervised = await supervise('part', () => (refusals-- === 0 ? Promise.reject(new Error('not yet')) : start()));
  (await nth(1)).end();
  await nth(2);
  expect(log.error).toHaveBeenCalledWith(expect.objectContaining({ err: expect.any(Error) }), 'part does not start');
  await supervised.stop();
});
