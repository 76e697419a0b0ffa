import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { DatabaseAddress } from '#lib/db/address';
import { openConnection } from '#lib/db/open-connection';

/** Any fixed number: the advisory lock that all users of an embedded database hold together, and the last one alone. */
const USE_LOCK = 7_605_663;

/** That this process uses a database which others may use too. */
interface SharedUse {
  /** Ends it. True when nobody else uses the database: others are then kept out until it is down. */
  leave(): Promise<boolean>;
}

/** Says that this process uses the database for as long as `isUp` says so, over a connection that is made again when it breaks. */
export async function shareUse(address: DatabaseAddress, isUp: () => boolean): Promise<SharedUse> {
  let left = false;
  let client = await join();
  let joining: Promise<pg.Client | null> = Promise.resolve(client);
  void stay();
  return {
    async leave() {
      left = true;
      // what joins again just now would be taken for another user
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

/** Two that leave at once must not each see the other: both let go before they look. */
async function isLast(client: pg.Client): Promise<boolean> {
  await client.query('select pg_advisory_unlock_shared($1)', [USE_LOCK]);
  const { rows } = await client.query<{ last: boolean }>('select pg_try_advisory_lock($1) as last', [USE_LOCK]);
  return rows[0]!.last;
}
