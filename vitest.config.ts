import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

const DRIZZLE = resolve(import.meta.dirname, 'node_modules/drizzle-orm');

export default defineConfig({
  resolve: {
    alias: [
      // Vite takes only the first of several places in package.json's imports
      { find: '#components', replacement: resolve(import.meta.dirname, 'components') },
      // as quick-start.ts has it: half a second for each of the test files
      { find: /^drizzle-orm(\/node-postgres|\/pg-core)?$/, replacement: `${DRIZZLE}$1/index.cjs` },
    ],
  },
  test: {
    include: ['{lib,preview-engine,components,packages,scripts}/**/*.test.ts'],
    pool: 'forks',
    // they wait for databases, decoders and servers: one fewer, as it is by default, leaves one of two cores idle
    maxWorkers: '100%',
    globalSetup: ['scripts/test-database.ts'],
    setupFiles: ['scripts/one-connection.ts'],
    // the decoder, the database and the command line are processes of their own, and machines can be busy
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    retry: process.env.CI ? 1 : 0,
    // Vite puts its own base path there
    env: { BASE_URL: '', DATABASE_POOL: '2' },
  },
});
