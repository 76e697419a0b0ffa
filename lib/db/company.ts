import { log } from '#lib/log';
import { singleton } from '#lib/singleton';

/** Most that go in one statement. */
const MOST = 64;
/** Statements under way at a time: while the database works on one, the next gathers. */
const UNDER_WAY = 2;

interface Member<A, B> {
  asked: A;
  settle: (answer: B | Promise<B>) => void;
}

interface Ways<A, B> {
  /** Null for whom it leaves out: they go alone. Must not wait for what one of them alone needs. */
  together: (asked: readonly A[]) => Promise<(B | null)[]>;
  alone: (asked: A) => Promise<B>;
}

/** What is done in one statement for all that come while others are under way. */
export class Company<A, B> {
  readonly #name: string;
  readonly #ways: Ways<A, B>;

  constructor(name: string, ways: Ways<A, B>) {
    this.#name = name;
    this.#ways = ways;
  }

  /** Who comes while the database is free goes at once; who comes meanwhile goes with the others who do. */
  join(asked: A): Promise<B> {
    return new Promise(settle => {
      this.#state.waiting.push({ asked, settle });
      this.#go();
    });
  }

  get #state(): { waiting: Member<A, B>[]; underWay: number } {
    return singleton(`company.${this.#name}`, () => ({ waiting: [], underWay: 0 }));
  }

  #go(): void {
    const state = this.#state;
    if (state.underWay >= UNDER_WAY || state.waiting.length === 0) return;
    state.underWay += 1;
    void this.#settle(state.waiting.splice(0, MOST)).finally(() => {
      state.underWay -= 1;
      this.#go();
    });
  }

  async #settle(members: Member<A, B>[]): Promise<void> {
    const answers = await this.#askTogether(members);
    // who goes alone may have to wait; nobody else does for that
    for (const [at, { asked, settle }] of members.entries()) settle(answers[at] ?? this.#ways.alone(asked));
  }

  /** A statement that fails fails nobody. */
  async #askTogether(members: Member<A, B>[]): Promise<(B | null)[]> {
    try {
      return await this.#ways.together(members.map(({ asked }) => asked));
    } catch (error) {
      log().warn({ err: error, what: this.#name, members: members.length }, 'not done together; each goes alone');
      return [];
    }
  }
}
