import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['lib/**/*.test.ts', 'components/**/*.test.ts', 'scripts/**/*.test.ts'],
    pool: 'forks',
    globalSetup: ['scripts/test-database.ts'],
    // the decoder, the database and the command line are processes of their own, and machines can be busy
    testTimeout: 60_000,
    hookTimeout: 60_000,
    retry: process.env.CI ? 1 : 0,
    // Vite puts its own base path there
    env: { BASE_URL: '' },
  },
});
