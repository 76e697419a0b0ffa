import pg from 'pg';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { databaseAddress, embeddedAddress, socketFolder } from '#lib/db/address';
import { env } from '#lib/env';

beforeEach(() => {
  Object.assign(env(), { DATA_DIR: '/nowhere/pomona', DATABASE_URL: undefined });
});

test('the socket is in the cluster folder, or in a short folder of its own when that path is too long', () => {
  expect(socketFolder('/srv/pomona/postgres')).toBe('/srv/pomona/postgres');
  const deep = `/${'folder/'.repeat(20)}postgres`;
  expect(`${socketFolder(deep)}/.s.PGSQL.5432`.length).toBeLessThan(104);
  expect(socketFolder(deep)).toBe(socketFolder(deep));
  expect(socketFolder(deep)).not.toBe(socketFolder(`${deep}2`));
});

test('the embedded address is used as it is, whatever PG variables are set', () => {
  const variables = { PGHOST: 'db', PGPORT: '1', PGUSER: 'ana', PGDATABASE: 'other', PGSSLMODE: 'require' };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(new pg.Client(embeddedAddress('/srv/pomona/postgres'))).toMatchObject({
    host: '/srv/pomona/postgres',
    port: 5432,
    user: 'pomona',
    database: 'postgres',
    ssl: false,
  });
});

test('DATABASE_URL is used as the database address when it is set', () => {
  Object.assign(env(), { DATABASE_URL: 'postgres://host/name' });
  expect(databaseAddress()).toEqual({ connectionString: 'postgres://host/name' });
});

test('a missing cluster is reported with the command to run', () => {
  expect(() => databaseAddress()).toThrow('no database in /nowhere/pomona yet. Run npm start');
});
