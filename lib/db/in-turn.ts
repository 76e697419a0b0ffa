import { db, type Tx } from '#lib/db/client';
import { singleton } from '#lib/singleton';

const all = () => singleton('db.turns', () => new Map<string, Promise<unknown>>());

/**
 * One of a line at a time, such as what an account does: hundreds that wait for it in the database would hold every connection of
 * this process. `work` is told why the one before failed, if it did.
 */
export function inTurn<T>(line: string, work: (failure?: unknown) => Promise<T>): Promise<T> {
  const turns = all();
  const mine = (turns.get(line) ?? Promise.resolve()).then(() => work(), work);
  turns.set(line, mine);
  const leave = () => void (turns.get(line) === mine && turns.delete(line));
  mine.then(leave, leave);
  return mine;
}

/** A transaction in the account's turn; it holds no row yet. Never within another one of the account, which it would wait for. */
export const transactionOf = <T>(accountId: string, work: (tx: Tx) => Promise<T>): Promise<T> =>
  inTurn(accountId, () => db().transaction(work));
