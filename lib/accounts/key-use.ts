import { pool } from '#lib/db/client';
import { log } from '#lib/log';
import { singleton } from '#lib/singleton';

interface Use {
  /** Network address of the caller. */
  address: string;
  /** Whether the call used the secret from before the key was rolled. */
  isPrevious: boolean;
}

interface KeyUse {
  /** Uses of keys that are not written to the database yet. */
  due: Map<string, Use>;
  timer: NodeJS.Timeout | undefined;
}

const keyUse = (): KeyUse => singleton('accounts.key-use', () => ({ due: new Map(), timer: undefined }));

/** Notes the use of a key. It is written to the database within a second, outside of the request. */
export function noteKeyUse(keyId: string, use: Use): void {
  const { due } = keyUse();
  const isPrevious = use.isPrevious || due.get(keyId)?.isPrevious === true;
  due.set(keyId, { ...use, isPrevious });
  writeSoon();
}

const writeSoon = () => void (keyUse().timer ??= setTimeout(() => void writeKeyUses(), 1_000).unref());

/**
 * Writes the pending uses, at most once a minute per key across all processes. Also called when a process stops.
 * Uses that could not be written, or that changed meanwhile, stay pending.
 */
export async function writeKeyUses(): Promise<void> {
  const state = keyUse();
  clearTimeout(state.timer);
  state.timer = undefined;
  const uses = [...state.due];
  if (uses.length === 0) return;
  try {
    await pool().query(
      // all processes lock the rows in the same order, to avoid deadlocks
      `with due as (
        select k.id, u.address, u.previous from api_keys k
          join unnest($1::uuid[], $2::text[], $3::boolean[]) as u (id, address, previous) on u.id = k.id
        where coalesce(case when u.previous then k.previous_used_at else k.last_used_at end, '-infinity') <= now() - interval '1 minute'
        order by k.id for no key update of k
      )
      update api_keys k set last_used_at = date_trunc('minute', now()), last_address = nullif(due.address, ''),
        previous_used_at = case when due.previous then date_trunc('minute', now()) else k.previous_used_at end
      from due where k.id = due.id`,
      [uses.map(([id]) => id), uses.map(([, { address }]) => address), uses.map(([, { isPrevious }]) => isPrevious)],
    );
    for (const [id, use] of uses) if (state.due.get(id) === use) state.due.delete(id);
  } catch (error) {
    log().warn({ err: error }, 'last use of keys not written');
    writeSoon();
  }
}
