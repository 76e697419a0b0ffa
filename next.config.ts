import type { NextConfig } from 'next';

// builds send no telemetry
process.env.NEXT_TELEMETRY_DISABLED = '1';

const config: NextConfig = {
  poweredByHeader: false,
  // lib/media makes renditions: Next's optimizer would decode user files in the web process and cache deleted images
  images: { unoptimized: true },
  // `npm run typecheck` checks the types: TypeScript 7 has no API for Next's own check
  typescript: { ignoreBuildErrors: true },
  // the documentation as plain text, beside its HTML pages
  rewrites: async () => [
    { source: '/llms.txt', destination: '/docs-text' },
    { source: '/docs.md', destination: '/docs-text' },
    { source: '/docs/models/:model/llms.txt', destination: '/docs-text/models/:model' },
    { source: '/docs/:page(.+)\\.md', destination: '/docs-text/:page' },
  ],
  experimental: {
    // few large chunks compress a tenth better than many small ones (sizes before compression, five times what is sent)
    turbopackChunking: { minChunkSize: 600_000, maxMergeChunkSize: 2_000_000 },
    // leaves out exports of CommonJS packages that nothing uses, half a KiB of every page
    turbopackCjsTreeShaking: true,
    // pages load on first use: preloading all, and handlers that the fast lane serves anyway, would slow down the start
    preloadEntriesOnStart: false,
  },
  turbopack: {
    resolveAlias: {
      // parts of the form library that no form here uses, left out of the browser bundle
      'markdown-to-jsx/react': { browser: './components/studio/no-markdown.ts' },
      '@x0k/json-schema-merge': { browser: './components/studio/no-merging.ts' },
      '@x0k/json-schema-merge/lib/array': { browser: './components/studio/no-merging.ts' },
      'fast-uri': { browser: './components/studio/no-references.ts' },
    },
  },
  // packages that are native, large, or load their own files: Node loads them, and Turbopack does not bundle them
  serverExternalPackages: [
    '@mediabunny/server',
    '@node-rs/argon2',
    'mediabunny',
    'node-av',
    'nodemailer',
    'nsfwjs',
    'oidc-provider',
    'onnxruntime-node',
    'pg',
    'pino',
    'piscina',
    'prom-client',
    'rate-limiter-flexible',
    'sharp',
    'stripe',
    'undici',
  ],
};

export default config;
