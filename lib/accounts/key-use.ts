import { pool } from '#lib/db/client';
import { log } from '#lib/log';
import { singleton } from '#lib/singleton';

interface Use {
  /** Network address that the call came from. */
  address: string;
  /** Whether with what the key was before it was rolled. */
  isPrevious: boolean;
}

interface KeyUse {
  /** Keys that were used and whose row does not say so yet. */
  due: Map<string, Use>;
  timer: NodeJS.Timeout | undefined;
}

const keyUse = (): KeyUse => singleton('accounts.key-use', () => ({ due: new Map(), timer: undefined }));

/** Remembers that a key was used; the row is written within a second, off the request's path. */
export function noteKeyUse(keyId: string, use: Use): void {
  const state = keyUse();
  const isPrevious = use.isPrevious || state.due.get(keyId)?.isPrevious === true;
  state.due.set(keyId, { ...use, isPrevious });
  state.timer ??= setTimeout(() => void writeKeyUses(), 1_000).unref();
}

/** Writes the uses that are due, at most one a minute for each key whatever the number of processes; a process that stops does so too. */
export async function writeKeyUses(): Promise<void> {
  const state = keyUse();
  clearTimeout(state.timer);
  state.timer = undefined;
  const uses = [...state.due];
  if (uses.length === 0) return;
  try {
    await pool().query(
      `update api_keys k set last_used_at = date_trunc('minute', now()), last_address = nullif(u.address, ''),
        previous_used_at = case when u.previous then date_trunc('minute', now()) else k.previous_used_at end
      from unnest($1::uuid[], $2::text[], $3::boolean[]) as u (id, address, previous)
      where k.id = u.id and coalesce(case when u.previous then k.previous_used_at else k.last_used_at end, '-infinity')
        <= now() - interval '1 minute'`,
      [uses.map(([id]) => id), uses.map(([, { address }]) => address), uses.map(([, { isPrevious }]) => isPrevious)],
    );
  } catch (error) {
    log().warn({ err: error }, 'last use of keys not written');
  } finally {
    for (const [id] of uses) state.due.delete(id);
  }
}
