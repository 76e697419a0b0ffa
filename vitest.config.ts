import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['lib/**/*.test.ts', 'components/**/*.test.ts', 'scripts/**/*.test.ts'],
    pool: 'forks',
    globalSetup: ['scripts/test-database.ts'],
    // Vite puts its own base path there
    env: { BASE_URL: '' },
  },
});
