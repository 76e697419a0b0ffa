import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { directAddress } from '#lib/db/address';
import { log } from '#lib/log';
import { singleton } from '#lib/singleton';

export interface Listener {
  close(): Promise<void>;
}

type OnPayload = (payload: string) => void;

const RECONNECT_MS = 500;
/** Interval of keep-alive queries, answered within `ANSWER_MS`: a silently cut connection would look healthy. */
const ASK_EVERY_MS = 15_000;
const ANSWER_MS = 5_000;

/**
 * Calls `onPayload` with the payload of each NOTIFY on `channel`. All listeners of a process share one connection,
 * which is reopened when it is lost. Notifications can be missed: they are hints about changes in a table, which
 * listeners must also poll.
 */
export function listen(channel: string, onPayload: OnPayload): Listener {
  return singleton('db.ear', () => new Ear()).add(channel, onPayload);
}

class Ear {
  /** Callbacks by channel. */
  readonly #told = new Map<string, Set<OnPayload>>();
  #client: pg.Client | undefined;
  /** Tail of the queue of statements, which run one at a time. */
  #said: Promise<unknown> = Promise.resolve();
  #running: { stop: AbortController; ended: Promise<void> } | undefined;

  add(channel: string, onPayload: OnPayload): Listener {
    const told = this.#told.get(channel) ?? new Set();
    this.#told.set(channel, told.add(onPayload));
    if (told.size === 1) void this.#say('listen', channel);
    if (!this.#running) {
      const stop = new AbortController();
      this.#running = { stop, ended: this.#keepListening(stop.signal) };
    }
    return {
      close: async () => {
        if (!told.delete(onPayload) || told.size > 0) return;
        this.#told.delete(channel);
        await (this.#told.size > 0 ? this.#say('unlisten', channel) : this.#stop());
      },
    };
  }

  async #stop(): Promise<void> {
    const [running, client] = [this.#running, this.#client];
    // a listener that is added while this connection closes opens a new one
    this.#running = this.#client = undefined;
    running?.stop.abort();
    await client?.end().catch(() => undefined);
    await running?.ended;
  }

  /** Sends LISTEN or UNLISTEN when connected. A new connection listens to every channel that is wanted by then. */
  #say(what: 'listen' | 'unlisten', channel: string): Promise<unknown> {
    const client = this.#client;
    const say = () => client?.query(`${what} ${pg.escapeIdentifier(channel)}`);
    // a broken connection is noticed by its 'error' event
    return (this.#said = this.#said.then(say).catch(() => undefined));
  }

  async #keepListening(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#listenOnce(signal);
      } catch (error) {
        if (!signal.aborted) log().warn({ err: error }, 'listening for notifications failed');
      }
      await pause(RECONNECT_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async #listenOnce(signal: AbortSignal): Promise<void> {
    const client = new pg.Client({
      ...directAddress(),
      connectionTimeoutMillis: 4_000,
      query_timeout: ANSWER_MS,
      application_name: 'pomona listener',
    });
    let asking: NodeJS.Timeout | undefined;
    const lost = new Promise<void>((resolve, reject) => {
      client.once('end', resolve);
      // a client with a broken connection may emit several errors, and an unhandled 'error' event ends the process
      client.on('error', reject);
      asking = setInterval(() => {
        const last = [...this.#told.keys()].at(-1) ?? '';
        client.query(`listen ${pg.escapeIdentifier(last)}`).catch(reject);
      }, ASK_EVERY_MS);
    });
    // the connection can break before `lost` is awaited
    lost.catch(() => undefined);
    client.on('notification', ({ channel, payload = '' }) => {
      for (const onPayload of this.#told.get(channel) ?? []) onPayload(payload);
    });
    try {
      await client.connect();
      if (signal.aborted) return;
      this.#client = client;
      for (const channel of this.#told.keys()) void this.#say('listen', channel);
      await lost;
    } finally {
      clearInterval(asking);
      if (this.#client === client) this.#client = undefined;
      await client.end().catch(() => undefined);
    }
  }
}
