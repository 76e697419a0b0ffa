import { env } from '#lib/env';
import { noteLimit, overLimit } from '#lib/limits';

/** For whom something is done, and until when. */
export interface Errand {
  /** Whose share it counts against; our own work has none. */
  account?: string | undefined;
  /** Aborted when nobody waits for it any more. */
  signal?: AbortSignal | undefined;
  /** Waits however many wait already: a step of a worker, not a client. Our own work always does. */
  patient?: boolean | undefined;
}

/** What is done inside, as the settings and as people call it. */
const WORDS = { DECODES: 'read', FETCHES: 'fetch' };

type Act = keyof typeof WORDS;

interface GateLimits {
  /** Inside at a time. */
  most: number;
  /** Of them, of one account. */
  mostOfOne: number;
  /** Waiting at a time; one more is refused. */
  waiting: number;
  waitingOfOne: number;
}

interface Waiter {
  account: string;
  enter: () => void;
}

const count = <T>(items: T[], test: (item: T) => boolean): number => items.filter(test).length;

/** Lets a few in at a time. Each account has a share of the places and of the queue, and accounts take turns. */
export class FairGate {
  readonly #act: Act;
  readonly #limits: GateLimits;
  #inside: string[] = [];
  #outside: Waiter[] = [];

  /** With the limits that the settings say, but for those given. */
  constructor(act: Act, limits: Partial<GateLimits> = {}) {
    this.#act = act;
    this.#limits = {
      most: env()[`LIMIT_${act}`],
      mostOfOne: env()[`LIMIT_${act}_PER_ACCOUNT`],
      waiting: env().LIMIT_WAITING,
      waitingOfOne: env().LIMIT_WAITING_PER_ACCOUNT,
      ...limits,
    };
  }

  /** Does `work` inside. Throws `too_many_requests` when the queue is full, the signal's reason when it is aborted. */
  async pass<T>({ account = '', signal, patient = account === '' }: Errand, work: () => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    if (this.#hasRoomFor(account)) this.#inside.push(account);
    else if (patient || this.#mayWait(account)) await this.#wait(account, signal);
    try {
      return await work();
    } finally {
      this.#inside.splice(this.#inside.indexOf(account), 1);
      // its next errands stand behind everybody else's
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
    noteLimit(this.#inside.length < this.#limits.most ? `LIMIT_${this.#act}_PER_ACCOUNT` : `LIMIT_${this.#act}`);
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
