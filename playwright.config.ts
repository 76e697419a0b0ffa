import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { UNSET } from '#lib/process/test-settings';
import { systemChromium } from './scripts/ensure-chromium.ts';

// the runner chooses folder and ports once; its workers load this file again and inherit them
if (!process.env.E2E_DATA_DIR) {
  const folder = mkdtempSync(join(tmpdir(), 'pomona-e2e-'));
  // when run as root, Postgres runs as another user, which must be able to traverse the folder
  chmodSync(folder, 0o711);
  process.env.E2E_DATA_DIR = folder;
  // two ports, below the ephemeral range
  process.env.E2E_PORT = String(20_000 + 2 * (process.pid % 6_000));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
}
const dataDir = process.env.E2E_DATA_DIR;
const oldest = join(dataDir, 'oldest-postgres');
process.env.E2E_DATABASE_URL = `postgres://pomona@localhost:5432/postgres?host=${encodeURIComponent(oldest)}`;
const port = Number(process.env.E2E_PORT);
const direct = `http://localhost:${port}`;
const throughNext = `http://localhost:${port + 1}`;

// all tests share one client address
const limits = {
  LIMIT_BAD_KEYS_PER_ADDRESS: '1000000',
  LIMIT_PAGES_PER_ADDRESS: '1000000',
  LIMIT_APPS_PER_ADDRESS: '1000000',
  LIMIT_SIGN_UPS_PER_ADDRESS: '1000000',
  LIMIT_REFUSALS_PER_ADDRESS: '1000000',
  LIMIT_BODY_BYTES_PER_ADDRESS: '1000000000',
};
// tests run their own servers on this machine as webhook receivers
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
  // CI machines can be busy; the report lists the tests that passed only on retry
  retries: process.env.CI ? 1 : 0,
  use: { trace: 'on-first-retry' },
  // the api and studio tests use the oldest supported Postgres; unit tests and faults use the embedded one, the newest
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
    // shares the database and the worker of `npm start`
    {
      name: 'next start',
      command: `node node_modules/next/dist/bin/next start -H 127.0.0.1 -p ${port + 1}`,
      url: `${throughNext}/healthz`,
      // the smallest pool: code that holds a connection while it waits for another one would hang
      env: { ...env, PORT: String(port + 1), BASE_URL: throughNext, DATABASE_POOL: '2' },
      gracefulShutdown,
    },
  ],
  projects: [
    { name: 'api', testDir: 'e2e/api', use: { baseURL: direct } },
    // domain code is the same in both: these tests cover routing, transport and connection use under `next start`
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
    // each test starts its own deployments and breaks them
    { name: 'faults', testDir: 'e2e/faults', fullyParallel: false, workers: 1, timeout: 90_000 },
    {
      name: 'studio',
      testDir: 'e2e/studio',
      // the first load of a page, and generations, can be slow on a busy machine
      timeout: 120_000,
      expect: { timeout: 15_000 },
      use: {
        baseURL: direct,
        browserName: 'chromium',
        launchOptions: {
          executablePath: systemChromium(),
          // without a locale, Chromium drops non-ASCII file names
          env: { ...process.env, LC_ALL: 'C.UTF-8' },
          args: [
            // the sandbox of Chromium does not work as root
            ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
            '--disable-gpu',
            // test pages are too short-lived for optimizing compilers to pay off
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
