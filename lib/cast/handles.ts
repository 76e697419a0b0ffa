import { randomInt } from 'node:crypto';
import { eq, inArray } from 'drizzle-orm';
import { handleFromName } from '#lib/contract/handle-from-name';
import { HANDLE_LENGTH } from '#lib/contract/handle-rule';
import { db, type Tx } from '#lib/db/client';
import { handles } from '#lib/db/schema';
import { AppError } from '#lib/errors';

const SUFFIX = 3;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
/** 46,656 suffixes: this many taken ones in a row mean that the name is worn out. */
const TRIES = 20;

/** The name in lower-case ASCII, cut, a dash and three random characters. */
export function deriveHandle(name: string): string {
  const ascii = handleFromName(name, HANDLE_LENGTH - SUFFIX - 1);
  const suffix = Array.from({ length: SUFFIX }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return `${ascii || 'cast'}-${suffix}`;
}

interface Claim {
  accountId: string;
  entityId: string;
  name: string;
  /** As the client wants it; derived from the name when there is none. */
  handle: string | null | undefined;
}

/** Takes a handle for a new entity. The row is what decides: of many who want the same at once, one gets it. */
export async function claimHandle(tx: Tx, { accountId, entityId, name, handle }: Claim): Promise<string> {
  for (let tries = 0; tries < TRIES; tries++) {
    const wanted = handle ?? deriveHandle(name);
    const [taken] = await tx
      .insert(handles)
      .values({ handle: wanted, accountId, entityId })
      .onConflictDoNothing({ target: handles.handle })
      .returning();
    if (taken) return wanted;
    if (handle) throw handleTaken(handle);
  }
  throw handleTaken(deriveHandle(name));
}

/** Refuses a taken handle before any work is done for it; `claimHandle` decides. */
export async function requireFreeHandle(handle: string | null | undefined): Promise<void> {
  if (!handle) return;
  const [taken] = await db().select().from(handles).where(eq(handles.handle, handle));
  if (taken) throw handleTaken(handle);
}

/** The handle itself when it is free, else a free one like it; null when the nearest ones are taken too. */
export async function findFreeHandle(handle: string): Promise<string | null> {
  const near = Array.from({ length: TRIES }, (_, index) => `-${index + 2}`);
  const candidates = [handle, ...near.map(end => handle.slice(0, HANDLE_LENGTH - end.length).replace(/-+$/, '') + end)];
  const taken = await db().select().from(handles).where(inArray(handles.handle, candidates));
  return candidates.find(candidate => taken.every(row => row.handle !== candidate)) ?? null;
}

/** Frees the handle of an entity that was deleted. */
export async function freeHandle(tx: Tx, handle: string): Promise<void> {
  await tx.delete(handles).where(eq(handles.handle, handle));
}

const handleTaken = (handle: string) =>
  new AppError('handle_taken', `The handle ${handle} is taken by a character or reference. Choose another one.`, {
    handle,
  });
