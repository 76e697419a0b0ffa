import { pool } from '#lib/db/client';
import { log } from '#lib/log';
import { singleton } from '#lib/singleton';

interface KeyUse {
  /** Keys that were used and whose row does not say so yet. */
  due: Set<string>;
  timer: NodeJS.Timeout | undefined;
}

const keyUse = (): KeyUse => singleton('accounts.key-use', () => ({ due: new Set<string>(), timer: undefined }));

/** Remembers that a key was used; the row is written within a second, off the request's path. */
export function noteKeyUse(keyId: string): void {
  const state = keyUse();
  if (state.due.has(keyId)) return;
  state.due.add(keyId);
  state.timer ??= setTimeout(() => void writeKeyUses(), 1_000).unref();
}

/** Writes the uses that are due, at most one a minute for each key whatever the number of processes; a process that stops does so too. */
export async function writeKeyUses(): Promise<void> {
  const state = keyUse();
  clearTimeout(state.timer);
  state.timer = undefined;
  const ids = [...state.due];
  if (ids.length === 0) return;
  try {
    await pool().query(
      `update api_keys set last_used_at = date_trunc('minute', now())
      where id = any($1) and (last_used_at is null or last_used_at <= now() - interval '1 minute')`,
      [ids],
    );
  } catch (error) {
    log().warn({ err: error }, 'last use of keys not written');
  } finally {
    for (const id of ids) state.due.delete(id);
  }
}
