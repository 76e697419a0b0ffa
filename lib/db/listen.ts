import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { directAddress } from '#lib/db/address';
import { log } from '#lib/log';

export interface Listener {
  close(): Promise<void>;
}

/**
 * Calls back with the payload of each NOTIFY on `channel`, over a connection of its own that is opened again when it is
 * lost. A notification is a hint: what it announces is in a table, and whoever listens looks there from time to time too.
 */
export function listen(channel: string, onPayload: (payload: string) => void): Listener {
  const closing = new AbortController();
  let client: pg.Client | undefined;
  const running = keepListening();
  return {
    async close() {
      closing.abort();
      await client?.end().catch(() => undefined);
      await running;
    },
  };

  async function keepListening(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        await listenOnce();
      } catch (error) {
        if (!closing.signal.aborted) log().warn({ err: error, channel }, 'listening for notifications failed');
      }
      await delay(500, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }

  async function listenOnce(): Promise<void> {
    const connected = new pg.Client({
      ...directAddress(),
      connectionTimeoutMillis: 4_000,
      keepAlive: true,
      application_name: 'pomona listener',
    });
    client = connected;
    const lost = new Promise<void>((resolve, reject) => {
      connected.once('end', resolve);
      // a client whose connection breaks says so more than once, and an error that nobody hears ends the process
      connected.on('error', reject);
    });
    // the connection can break before anyone awaits it
    lost.catch(() => undefined);
    connected.on('notification', message => onPayload(message.payload ?? ''));
    await connected.connect();
    await connected.query(`listen ${pg.escapeIdentifier(channel)}`);
    await lost;
  }
}
