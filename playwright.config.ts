import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { UNSET } from '#lib/process/test-settings';
import { systemChromium } from './scripts/ensure-chromium.ts';

// the runner chooses once; its workers load this file again and inherit what it chose
if (!process.env.E2E_DATA_DIR) {
  const folder = mkdtempSync(join(tmpdir(), 'pomona-e2e-'));
  // as root, the database runs under another id that has to pass
  chmodSync(folder, 0o711);
  process.env.E2E_DATA_DIR = folder;
  // two, below those that a connection may be given
  process.env.E2E_PORT = String(20_000 + 2 * (process.pid % 6_000));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
}
const dataDir = process.env.E2E_DATA_DIR;
const oldest = join(dataDir, 'oldest-postgres');
process.env.E2E_DATABASE_URL = `postgres://pomona@localhost:5432/postgres?host=${encodeURIComponent(oldest)}`;
const port = Number(process.env.E2E_PORT);
const direct = `http://localhost:${port}`;
const throughNext = `http://localhost:${port + 1}`;

// whoever tests comes from one address
const limits = {
  LIMIT_BAD_KEYS_PER_ADDRESS: '1000000',
  LIMIT_PAGES_PER_ADDRESS: '1000000',
  LIMIT_APPS_PER_ADDRESS: '1000000',
  LIMIT_SIGN_UPS_PER_ADDRESS: '1000000',
  LIMIT_REFUSALS_PER_ADDRESS: '1000000',
  LIMIT_BODY_BYTES_PER_ADDRESS: '1000000000',
};
// tests have servers of their own on this machine, that webhooks lead to
const env = {
  ...UNSET,
  DATA_DIR: dataDir,
  DATABASE_URL: process.env.E2E_DATABASE_URL,
  CHECK_RESPONSES: 'on',
  LOG_LEVEL: 'warn',
  ALLOWED_PRIVATE_HOSTS: 'localhost',
  ...limits,
};
const gracefulShutdown = { signal: 'SIGTERM', timeout: 40_000 } as const;

export default defineConfig({
  testDir: 'e2e',
  workers: 2,
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // machines that build for others are busy at times; the report names whatever passed only then
  retries: process.env.CI ? 1 : 0,
  use: { trace: 'on-first-retry' },
  // all that is asked here is asked of the oldest Postgres; the unit tests and those with faults have the embedded one, the newest
  webServer: [
    {
      name: 'Postgres 15',
      command: `node --import ./scripts/quick-start.ts scripts/oldest-postgres.ts ${oldest}`,
      wait: { stdout: /ready to accept connections/ },
      gracefulShutdown,
    },
    {
      name: 'npm start',
      command: 'node --import ./scripts/quick-start.ts start.ts',
      url: `${direct}/healthz`,
      env: { ...env, PORT: String(port), BASE_URL: direct },
      timeout: 180_000,
      gracefulShutdown,
    },
    // shares the database and the worker of that one
    {
      name: 'next start',
      command: `node node_modules/next/dist/bin/next start -H 127.0.0.1 -p ${port + 1}`,
      url: `${throughNext}/healthz`,
      // as few connections as can be: nothing may hold one while it waits for another
      env: { ...env, PORT: String(port + 1), BASE_URL: throughNext, DATABASE_POOL: '2' },
      gracefulShutdown,
    },
  ],
  projects: [
    { name: 'api', testDir: 'e2e/api', use: { baseURL: direct } },
    // what the verbs do is the same behind either; here it is how they are reached, and what they hold meanwhile
    {
      name: 'api-next',
      testDir: 'e2e/api',
      testIgnore: [
        'architectures.spec.ts',
        'cast.spec.ts',
        'client.spec.ts',
        'docs.spec.ts',
        'fetching.spec.ts',
        'history.spec.ts',
        'identity.spec.ts',
        'media-inputs.spec.ts',
        'recipes.spec.ts',
        'results.spec.ts',
        'transitions.spec.ts',
      ],
      use: { baseURL: throughNext },
    },
    // each starts deployments of its own to break them
    { name: 'faults', testDir: 'e2e/faults', fullyParallel: false, workers: 1, timeout: 90_000 },
    {
      name: 'studio',
      testDir: 'e2e/studio',
      // a page that nobody opened yet, and what is made there, take their time on a busy machine
      timeout: 120_000,
      expect: { timeout: 15_000 },
      use: {
        baseURL: direct,
        browserName: 'chromium',
        launchOptions: {
          executablePath: systemChromium(),
          // without a locale it gives files no names that are not ASCII
          env: { ...process.env, LC_ALL: 'C.UTF-8' },
          args: [
            // root has no sandbox to hide in
            ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
            '--disable-gpu',
            // a page of a test is gone before its code is worth compiling twice
            '--js-flags=--no-opt --no-maglev',
            '--disable-quic',
            '--no-first-run',
            '--disable-background-networking',
            '--disable-component-update',
            '--disable-sync',
          ],
        },
      },
    },
  ],
});
