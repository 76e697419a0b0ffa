import { expect, test } from 'vitest';
import { printedWithoutDescriptors } from '#lib/process/test-descriptors';

test.each([false, true])(
  'startChild rejects when the system cannot start a child, and the parent runs on (shares a port: %s)',
  async sharesPort => {
    const printed = await printedWithoutDescriptors(`
    import { startChild } from '#lib/process/start-child';
    import { getEventListeners } from 'node:events';
    takeAll();
    const { signal } = new AbortController();
    const options = { drainMs: 1_000, sharesPort: ${sharesPort}, signal };
    console.log(await startChild('server.ts', options).catch(error => error.code));
    await pause(100);
    console.log('goes on', getEventListeners(signal, 'abort').length);`);
    expect(printed).toBe('EMFILE\ngoes on 0\n');
  },
);
