import { beforeEach, expect, test, vi } from 'vitest';
import { startDispatcher } from '#lib/worker/dispatch';
import { startFetcher } from '#lib/worker/fetcher';
import type { Runs } from '#lib/worker/runs';

const world = vi.hoisted(() => ({
  isRoomy: true,
  readWaiting: vi.fn(async () => []),
  claimGenerations: vi.fn(async () => []),
  claimFetches: vi.fn(async () => []),
}));
vi.mock('#lib/worker/room', () => ({ hasRoom: async () => world.isRoomy }));
vi.mock('#lib/life/claim', () => world);
vi.mock('#lib/worker/fetch-media', () => ({ ...world, FETCHED_AT_A_TIME: 1 }));
vi.mock('#lib/engines/placement', () => ({ PACE: {}, place: () => ['a pick'] }));
vi.mock('#lib/worker/servers', () => ({
  sharedServers: () => [],
  readStanding: async () => ({ servers: [], standing: new Map() }),
}));

const dispatch = () => startDispatcher({ worker: 'w', own: [], running: () => 0, begin: () => {} });
const fetch = () => startFetcher({ worker: 'w', runs: {} as Runs });

beforeEach(() => {
  vi.clearAllMocks();
  world.isRoomy = true;
});

test('a worker that is stopped while it looks for work claims nothing', async () => {
  const { promise, resolve } = Promise.withResolvers<[]>();
  world.readWaiting.mockReturnValueOnce(promise);
  const dispatcher = dispatch();
  await vi.waitFor(() => expect(world.readWaiting).toHaveBeenCalled());
  const stopped = dispatcher.stop();
  resolve([]);
  await stopped;
  expect(world.claimGenerations).not.toHaveBeenCalled();
});

test('a worker without room on its disk claims neither requests nor fetches', async () => {
  const looked = async () => {
    const loops = [dispatch(), fetch()];
    await vi.waitFor(() => expect(world.readWaiting).toHaveBeenCalled());
    // stopping waits for a look in progress
    await Promise.all(loops.map(loop => loop.stop()));
    return [world.claimGenerations, world.claimFetches].map(claim => claim.mock.calls.length);
  };
  world.isRoomy = false;
  expect(await looked()).toEqual([0, 0]);
});
