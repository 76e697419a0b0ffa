import { db, type Tx } from '#lib/db/client';
import { singleton } from '#lib/singleton';

const all = () => singleton('db.turns', () => new Map<string, Promise<unknown>>());

/**
 * Runs the tasks of a line, such as the writes of an account, one at a time: hundreds that wait for a lock in the
 * database would hold every connection of this process. `work` receives the error of the previous task, if that failed.
 */
export function inTurn<T>(line: string, work: (failure?: unknown) => Promise<T>): Promise<T> {
  const turns = all();
  const mine = (turns.get(line) ?? Promise.resolve()).then(() => work(), work);
  turns.set(line, mine);
  const leave = () => void (turns.get(line) === mine && turns.delete(line));
  mine.then(leave, leave);
  return mine;
}

/** Runs a transaction in the account's turn, and holds no lock while it waits. Must not be nested (deadlock). */
export const transactionOf = <T>(accountId: string, work: (tx: Tx) => Promise<T>): Promise<T> =>
  inTurn(accountId, () => db().transaction(work));
