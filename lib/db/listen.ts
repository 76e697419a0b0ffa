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
/** A way that was cut without a word leaves a connection that seems well: it is asked so often, and answers within so long. */
const ASK_EVERY_MS = 15_000;
const ANSWER_MS = 5_000;

/**
 * Calls back with the payload of each NOTIFY on `channel`. All that a process listens to comes over one connection, which is opened
 * again when it is lost. A notification is a hint: what it announces is in a table, and whoever listens looks there from time to
 * time too.
 */
export function listen(channel: string, onPayload: OnPayload): Listener {
  return singleton('db.ear', () => new Ear()).add(channel, onPayload);
}

class Ear {
  /** Whom to tell, by channel. */
  readonly #told = new Map<string, Set<OnPayload>>();
  #client: pg.Client | undefined;
  /** One statement at a time. */
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
    // whoever listens while it ends has a connection of their own
    this.#running = this.#client = undefined;
    running?.stop.abort();
    await client?.end().catch(() => undefined);
    await running?.ended;
  }

  /** While there is no connection, there is nobody to say it to: the next one listens to all that is wanted then. */
  #say(what: 'listen' | 'unlisten', channel: string): Promise<unknown> {
    const client = this.#client;
    const say = () => client?.query(`${what} ${pg.escapeIdentifier(channel)}`);
    // a connection that breaks says so itself
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
      // a client whose connection breaks says so more than once, and an error that nobody hears ends the process
      client.on('error', reject);
      asking = setInterval(() => {
        const last = [...this.#told.keys()].at(-1) ?? '';
        client.query(`listen ${pg.escapeIdentifier(last)}`).catch(reject);
      }, ASK_EVERY_MS);
    });
    // the connection can break before anyone awaits it
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
