import { env } from '#lib/env';
import { noteLimit, overLimit } from '#lib/limits';

/** The account and the abort signal of a piece of work. */
export interface Errand {
  /** Account whose share this work counts against; undefined for internal work. */
  account?: string | undefined;
  /** Aborted when the result is no longer needed. */
  signal?: AbortSignal | undefined;
  /** Whether to wait even when the queue is full, as a worker does. Defaults to true for internal work. */
  patient?: boolean | undefined;
}

/** The kinds of work: the name in the settings, and the verb in messages. */
const WORDS = { DECODES: 'read', FETCHES: 'fetch' };

type Act = keyof typeof WORDS;

interface GateLimits {
  /** Maximum number of errands handled concurrently. */
  most: number;
  /** Maximum number of those that belong to one account. */
  mostOfOne: number;
  /** Maximum length of the queue; further errands are refused. */
  waiting: number;
  waitingOfOne: number;
  /** Whether `most` follows the setting: then waiting for a place counts as reaching that limit. */
  isCounted: boolean;
}

interface Waiter {
  account: string;
  enter: () => void;
}

const count = <T>(items: T[], test: (item: T) => boolean): number => items.filter(test).length;

/** Limits concurrency. Each account has a share of the places and of the queue, and accounts take turns. */
export class FairGate {
  readonly #act: Act;
  readonly #limits: GateLimits;
  #inside: string[] = [];
  #outside: Waiter[] = [];

  /** Creates a gate with the limits of the settings, except for those given. */
  constructor(act: Act, limits: Partial<GateLimits> = {}) {
    this.#act = act;
    this.#limits = {
      most: env()[`LIMIT_${act}`],
      mostOfOne: env()[`LIMIT_${act}_PER_ACCOUNT`],
      waiting: env().LIMIT_WAITING,
      waitingOfOne: env().LIMIT_WAITING_PER_ACCOUNT,
      isCounted: true,
      ...limits,
    };
  }

  /** Runs `work` when it is its turn. Throws `too_many_requests` when the queue is full, or the signal's reason. */
  async pass<T>({ account = '', signal, patient = account === '' }: Errand, work: () => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    if (this.#hasRoomFor(account)) this.#inside.push(account);
    else if (patient || this.#mayWait(account)) await this.#wait(account, signal);
    try {
      return await work();
    } finally {
      this.#inside.splice(this.#inside.indexOf(account), 1);
      // the waiting errands of this account move behind those of all others
      const isOwn = (waiter: Waiter) => waiter.account === account;
      this.#outside = [...this.#outside.filter(each => !isOwn(each)), ...this.#outside.filter(isOwn)];
      this.#callNext();
    }
  }

  #hasRoomFor(account: string): boolean {
    const { most, mostOfOne } = this.#limits;
    if (this.#inside.length >= most) return false;
    return account === '' || count(this.#inside, each => each === account) < mostOfOne;
  }

  #mayWait(account: string): true {
    const { waiting, waitingOfOne } = this.#limits;
    const own = count(this.#outside, waiter => waiter.account === account);
    if (own < waitingOfOne && this.#outside.length < waiting) return true;
    const [limit, whose] =
      own < waitingOfOne ? (['LIMIT_WAITING', ''] as const) : (['LIMIT_WAITING_PER_ACCOUNT', ' of yours'] as const);
    const message = `This server has too many files${whose} to ${WORDS[this.#act]} at the moment. Send it again in a few seconds.`;
    throw overLimit(limit, message, { retryAfter: 5 });
  }

  async #wait(account: string, signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter = { account, enter: resolve };
    const leave = () => {
      this.#outside = this.#outside.filter(each => each !== waiter);
      reject(signal!.reason as Error);
    };
    const { most, isCounted } = this.#limits;
    if (this.#inside.length < most) noteLimit(`LIMIT_${this.#act}_PER_ACCOUNT`);
    else if (isCounted) noteLimit(`LIMIT_${this.#act}`);
    this.#outside.push(waiter);
    signal?.addEventListener('abort', leave, { once: true });
    await promise.finally(() => signal?.removeEventListener('abort', leave));
  }

  #callNext(): void {
    const next = this.#outside.find(({ account }) => this.#hasRoomFor(account));
    if (!next) return;
    this.#outside = this.#outside.filter(waiter => waiter !== next);
    this.#inside.push(next.account);
    next.enter();
    this.#callNext();
  }
}
