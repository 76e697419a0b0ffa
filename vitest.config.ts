import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

const DRIZZLE = resolve(import.meta.dirname, 'node_modules/drizzle-orm');

export default defineConfig({
  resolve: {
    alias: [
      // Vite tries only the first target where `imports` of package.json has several
      { find: '#components', replacement: resolve(import.meta.dirname, 'components') },
      // the CommonJS build, as in quick-start.ts: saves half a second per test file
      { find: /^drizzle-orm(\/node-postgres|\/pg-core)?$/, replacement: `${DRIZZLE}$1/index.cjs` },
    ],
  },
  test: {
    include: ['{lib,preview-engine,components,packages,scripts}/**/*.test.ts'],
    pool: 'forks',
    // tests mostly wait for databases, decoders and servers: the default, one worker fewer, leaves a core idle
    maxWorkers: '100%',
    globalSetup: ['scripts/test-database.ts'],
    setupFiles: ['scripts/one-connection.ts'],
    // decoder, database and command line are separate processes, and machines can be busy
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    retry: process.env.CI ? 1 : 0,
    // Vite would set BASE_URL to its own base path
    env: { BASE_URL: '', DATABASE_POOL: '2' },
  },
});
