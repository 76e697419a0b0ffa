import { beforeEach, expect, test } from 'vitest';
import { databaseAddress, embeddedAddress, socketFolder } from '#lib/db/address';
import { env } from '#lib/env';

beforeEach(() => {
  Object.assign(env(), { DATA_DIR: '/nowhere/pomona', DATABASE_URL: undefined });
});

test('the socket lies in the cluster, or, when that is too deep for a socket, in a short folder of its own', () => {
  expect(socketFolder('/srv/pomona/postgres')).toBe('/srv/pomona/postgres');
  const deep = `/${'folder/'.repeat(20)}postgres`;
  expect(`${socketFolder(deep)}/.s.PGSQL.5432`.length).toBeLessThan(104);
  expect(socketFolder(deep)).toBe(socketFolder(deep));
  expect(socketFolder(deep)).not.toBe(socketFolder(`${deep}2`));
});

test('nothing of the environment bends the embedded address', () => {
  expect(embeddedAddress('/srv/pomona/postgres')).toEqual({
    host: '/srv/pomona/postgres',
    port: 5432,
    user: 'pomona',
    database: 'postgres',
    ssl: false,
  });
});

test('DATABASE_URL wins', () => {
  Object.assign(env(), { DATABASE_URL: 'postgres://host/name' });
  expect(databaseAddress()).toEqual({ connectionString: 'postgres://host/name' });
});

test('without a cluster it says what to do', () => {
  expect(() => databaseAddress()).toThrow('no database in /nowhere/pomona yet. Run npm start');
});
