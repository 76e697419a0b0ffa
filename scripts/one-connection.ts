import { AsyncLocalStorage } from 'node:async_hooks';
import { NodePgSession } from 'drizzle-orm/node-postgres';
import pg from 'pg';

/**
 * In unit tests, code that asks the pool for a second connection inside a transaction fails immediately. In production,
 * such code deadlocks once transactions hold every connection of the pool.
 */
const holding = new AsyncLocalStorage<boolean>();

const { transaction } = NodePgSession.prototype;
NodePgSession.prototype.transaction = function (work, config) {
  return transaction.call(this, tx => holding.run(true, () => work(tx)), config) as never;
};

const { connect } = pg.Pool.prototype as { connect: (...args: unknown[]) => unknown };
pg.Pool.prototype.connect = function (this: pg.Pool, ...args: unknown[]) {
  if (holding.getStore())
    throw new Error('a transaction asks for a second connection; hand its `tx` to whatever it calls');
  return connect.apply(this, args) as never;
};
