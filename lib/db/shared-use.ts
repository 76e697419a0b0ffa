import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { DatabaseAddress } from '#lib/db/address';
import { openConnection } from '#lib/db/open-connection';

/** Advisory lock (an arbitrary number) that all users of an embedded database share, and the last one owns alone. */
const USE_LOCK = 7_605_663;

/** The use of a database by this process, concurrently with other processes. */
interface SharedUse {
  /** Ends the use. True when no other process uses the database; other processes are then kept out until it is down. */
  leave(): Promise<boolean>;
}

/** Registers this process as a user of the database while `isUp` returns true. Reopens a connection that breaks. */
export async function shareUse(address: DatabaseAddress, isUp: () => boolean): Promise<SharedUse> {
  let left = false;
  let client = await join();
  let joining: Promise<pg.Client | null> = Promise.resolve(client);
  void stay();
  return {
    async leave() {
      left = true;
      // a reconnect in progress would be mistaken for another user
      client = (await joining) ?? client;
      const last = await isLast(client).catch(async () => isLast((client = await connect())));
      if (!last) await client.end();
      return last;
    },
  };

  function connect(): Promise<pg.Client> {
    return openConnection(address, { name: 'pomona-use' });
  }

  async function join(): Promise<pg.Client> {
    const made = await connect();
    await made.query('select pg_advisory_lock_shared($1)', [USE_LOCK]);
    return made;
  }

  async function stay(): Promise<void> {
    while (!left) {
      await new Promise(ended => client.once('end', ended));
      while (!left && isUp()) {
        joining = join().catch(() => null);
        const joined = await joining;
        if (joined) client = joined;
        else await pause(250, undefined, { ref: false });
        if (joined) break;
      }
      if (!isUp()) return;
    }
  }
}

/** Whether no other process uses the database. Unlocks first, or two that leave together would see each other. */
async function isLast(client: pg.Client): Promise<boolean> {
  await client.query('select pg_advisory_unlock_shared($1)', [USE_LOCK]);
  const { rows } = await client.query<{ last: boolean }>('select pg_try_advisory_lock($1) as last', [USE_LOCK]);
  return rows[0]!.last;
}
