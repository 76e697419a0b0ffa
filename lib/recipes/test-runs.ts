import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import type { Caller } from '#lib/accounts/callers';
import { accountWith } from '#lib/accounts/test-callers';
import type { RunWire } from '#lib/contract/recipe-schemas';
import { db } from '#lib/db/client';
import { media, requests } from '#lib/db/schema';
import { newId } from '#lib/ids';
import { finish } from '#lib/life/finish';
import { dropTask, takeTasks } from '#lib/life/outbox';
import { makeImage } from '#lib/media/media-test-files';
import { advanceRun } from '#lib/recipes/advance';
import { findRun } from '#lib/recipes/runs';
import { startRun } from '#lib/recipes/start';
import { toRunWire } from '#lib/recipes/to-wire';
import { newMediaKey } from '#lib/storage/media-key';
import { storage } from '#lib/storage/store';

// helpers for tests of runs and their requests

export const STORY = { shots: ['A harbour at dawn', 'A letter is opened'], cast: 'Mara, 60, captain' };
/** Price of an image of the architecture mango, fast and small. */
export const STILL = 57;
export const WHOLE = 3 * STILL;
export const PICTURE = await makeImage(64, 64).png().toBuffer();

export const someone = (gems = 1000, limits: { monthlyBudget?: number } = {}) => accountWith(gems, limits);

export const start = (caller: Caller, body: object = STORY, { recipe = 'storyboard', key = '', maxGems = 9999 } = {}) =>
  startRun({
    caller,
    recipeId: recipe,
    maxGems,
    ...(key && { idempotencyKey: key }),
    body: () => Promise.resolve(body as Record<string, unknown>),
  });

/** Handles the due tasks of runs as a worker does. */
export async function work(): Promise<void> {
  for (const task of await takeTasks('runs', 10)) {
    await advanceRun(task.subjectId);
    await dropTask(task);
  }
}

export const read = async (id: string): Promise<RunWire> => toRunWire((await findRun(id))!);
export const live = ({ steps }: RunWire) =>
  steps.flatMap(({ requests }) => requests.filter(({ status }) => ['queued', 'in_progress'].includes(status)));

export async function complete(requestId: string): Promise<void> {
  const key = newMediaKey('result', 'image/png');
  await storage().put(key, PICTURE, 'image/png');
  const facts = { key, contentType: 'image/png', bytes: 1, width: 1, height: 1, nsfw: false };
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const result = { ...facts, mediaId: newId(), expiresAt };
  expect(await finish(eq(requests.id, requestId), { status: 'completed', result })).toHaveLength(1);
}
export const fail = (requestId: string) =>
  finish(eq(requests.id, requestId), { status: 'failed', message: 'The engine broke.', cause: 'test' });

/** Completes all live requests of a run and lets the worker continue. */
export async function grow(id: string): Promise<void> {
  for (const { request_id } of live(await read(id))) await complete(request_id);
  await work();
}

/** Stores a file of the account and returns its key. */
export async function keep(accountId: string, kind: 'upload' | 'input', bytes = PICTURE): Promise<string> {
  const key = newMediaKey(kind, 'image/png');
  await storage().put(key, bytes, 'image/png');
  const expiresAt = new Date(Date.now() + 60_000);
  const file = { id: newId(), key, contentType: 'image/png', bytes: PICTURE.length };
  await db()
    .insert(media)
    .values({ ...file, accountId, kind, expiresAt });
  return key;
}
