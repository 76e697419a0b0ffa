import { db, type Tx } from '#lib/db/client';
import { singleton } from '#lib/singleton';

const all = () => singleton('db.turns', () => new Map<string, Promise<unknown>>());

/** One of an account at a time: hundreds that wait for it in the database would hold every connection of this process. */
export function inTurn<T>(accountId: string, work: () => Promise<T>): Promise<T> {
  const turns = all();
  const mine = (turns.get(accountId) ?? Promise.resolve()).then(work, work);
  turns.set(accountId, mine);
  const leave = () => void (turns.get(accountId) === mine && turns.delete(accountId));
  mine.then(leave, leave);
  return mine;
}

/** A transaction that holds the account. Never within another one of the account, which it would wait for. */
export const transactionOf = <T>(accountId: string, work: (tx: Tx) => Promise<T>): Promise<T> =>
  inTurn(accountId, () => db().transaction(work));
