import { randomInt } from 'node:crypto';
import { eq, inArray } from 'drizzle-orm';
import { handleFromName } from '#lib/contract/handle-from-name';
import { HANDLE_LENGTH } from '#lib/contract/handle-rule';
import { db, type Tx } from '#lib/db/client';
import { handles } from '#lib/db/schema';
import { AppError } from '#lib/errors';

const SUFFIX = 3;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
/** Number of handles tried. Of 46,656 suffixes this many taken in a row mean that the name is used up. */
const TRIES = 20;

/** Derives a handle: the name in lower-case ASCII, truncated, with a dash and three random characters. */
export function deriveHandle(name: string): string {
  const ascii = handleFromName(name, HANDLE_LENGTH - SUFFIX - 1);
  const suffix = Array.from({ length: SUFFIX }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return `${ascii || 'cast'}-${suffix}`;
}

interface Claim {
  accountId: string;
  entityId: string;
  name: string;
  /** Handle that the client asked for; derived from the name when missing. */
  handle: string | null | undefined;
}

/** Claims a handle for a new entity. The unique row decides which of several concurrent requests gets the handle. */
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

/** Throws `handle_taken` early, before files are stored. The final decision is made by `claimHandle`. */
export async function requireFreeHandle(handle: string | null | undefined): Promise<void> {
  if (!handle) return;
  const [taken] = await db().select().from(handles).where(eq(handles.handle, handle));
  if (taken) throw handleTaken(handle);
}

/** Returns the handle if it is free, else a free one with a number appended; null when those are taken too. */
export async function findFreeHandle(handle: string): Promise<string | null> {
  const near = Array.from({ length: TRIES }, (_, index) => `-${index + 2}`);
  const candidates = [handle, ...near.map(end => handle.slice(0, HANDLE_LENGTH - end.length).replace(/-+$/, '') + end)];
  const taken = await db().select().from(handles).where(inArray(handles.handle, candidates));
  return candidates.find(candidate => taken.every(row => row.handle !== candidate)) ?? null;
}

/** Frees the handle of a deleted entity. */
export async function freeHandle(tx: Tx, handle: string): Promise<void> {
  await tx.delete(handles).where(eq(handles.handle, handle));
}

const handleTaken = (handle: string) =>
  new AppError('handle_taken', `The handle ${handle} is taken by a character or reference. Choose another one.`, {
    handle,
  });
