import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { keepLooking } from '#lib/worker/loop';

process.env.LOG_LEVEL = 'silent';

test('a failing loop does not run again immediately, but does when it is woken', async () => {
  let looks = 0;
  const loop = keepLooking('nothing', async () => {
    looks += 1;
    if (looks < 10) throw new Error('the database is out');
    return false;
  });
  await setImmediate();
  expect(looks).toBe(1);
  loop.wake();
  await setImmediate();
  expect(looks).toBe(2);
  await loop.stop();
});
