import { expect, test, vi } from 'vitest';
import type { Engine } from '#lib/engines/engine';
import type { EngineEntry, ServerEntry } from '#lib/engines/engines-file';
import { closeEngines, letGoOthers, use } from '#lib/engines/registry';

const server: ServerEntry = { id: 'one', url: 'http://gpu-box' };
const closed: string[] = [];

/** Creates a version of an entry, whose engine records when it is closed. */
function entryOf(id: string, version: string): EngineEntry {
  const engine = { id: version, close: async () => void closed.push(version) } as unknown as Engine;
  const options = { version };
  return {
    id,
    type: 'openai',
    paused: false,
    servers: [server],
    options,
    places: 1,
    loads: false,
    serves: () => [],
    create: async () => engine,
  };
}

const connect = (entry: EngineEntry) => use(entry, server, async engine => engine);

const isClosed = (version: string) => vi.waitUntil(() => closed.includes(version), 30_000);

test('an engine whose entry changed finishes its current jobs before it is closed', async () => {
  const [old, next] = [entryOf('busy', 'old'), entryOf('busy', 'next')];
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const making = [first, second].map(({ promise }) =>
    use(old, server, async engine => {
      await promise;
      return engine.id;
    }),
  );
  expect((await connect(next)).id).toBe('next');
  first.resolve();
  expect(await making[0]).toBe('old');
  expect(closed).not.toContain('old');
  second.resolve();
  expect(await making[1]).toBe('old');
  expect(closed).toContain('old');
  expect(await use(next, server, async engine => engine.id)).toBe('next');
  expect(closed).not.toContain('next');
});

test('an idle engine is closed when it is replaced, and the last one when the process stops', async () => {
  await connect(entryOf('idle', 'first'));
  await connect(entryOf('idle', 'second'));
  await isClosed('first');
  expect(closed).not.toContain('second');
  await closeEngines();
  expect(closed).toContain('second');
});

test('an engine whose server was removed is closed after its current job', async () => {
  const { promise: work, resolve: finish } = Promise.withResolvers<void>();
  const making = use(entryOf('gone', 'gone at work'), server, () => work);
  await connect(entryOf('stays', 'stays'));
  await connect(entryOf('left', 'gone'));
  letGoOthers(['stays/one']);
  await isClosed('gone');
  expect(closed).not.toContain('gone at work');
  finish();
  await making;
  expect(closed).toContain('gone at work');
  expect(closed).not.toContain('stays');
});

test('an engine with a failed job is closed when it is replaced, and a failed creation is tried again', async () => {
  const fails = entryOf('failing', 'failing');
  const making = use(fails, server, () => Promise.reject(new Error('no memory')));
  await expect(making).rejects.toThrow('no memory');
  await connect(entryOf('failing', 'mended'));
  await isClosed('failing');
  const { create } = fails;
  fails.create = () => Promise.reject(new Error('no secret'));
  await expect(connect(fails)).rejects.toThrow('no secret');
  fails.create = create;
  expect((await connect(fails)).id).toBe('failing');
});
