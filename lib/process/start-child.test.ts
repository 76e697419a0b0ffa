import { expect, test } from 'vitest';
import { printedWithoutDescriptors } from '#lib/process/test-descriptors';

test.each([false, true])(
  'a child that the system does not start is told of, and ends nobody (shares a port: %s)',
  async sharesPort => {
    const printed = await printedWithoutDescriptors(`
    import { startChild } from '#lib/process/start-child';
    takeAll();
    console.log(await startChild('server.ts', { drainMs: 1_000, sharesPort: ${sharesPort} }).catch(error => error.code));
    await pause(100);
    console.log('goes on');`);
    expect(printed).toBe('EMFILE\ngoes on\n');
  },
);
