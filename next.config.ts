import type { NextConfig } from 'next';

// nobody is told of a build
process.env.NEXT_TELEMETRY_DISABLED = '1';

const config: NextConfig = {
  poweredByHeader: false,
  // pictures are made by our own pipeline: Next's would decode anybody's in the web process, and keep what was deleted
  images: { unoptimized: true },
  // `npm run typecheck` is the type check: TypeScript 7 has no API for Next's own
  typescript: { ignoreBuildErrors: true },
  // pages of the documentation as text, beside the pages themselves
  rewrites: async () => [
    { source: '/llms.txt', destination: '/docs-text' },
    { source: '/docs.md', destination: '/docs-text' },
    { source: '/docs/models/:model/llms.txt', destination: '/docs-text/models/:model' },
    { source: '/docs/:page(.+)\\.md', destination: '/docs-text/:page' },
  ],
  experimental: {
    // few chunks, each of much: what is compressed together is a tenth smaller (bytes as written, five times what is sent)
    turbopackChunking: { minChunkSize: 600_000, maxMergeChunkSize: 2_000_000 },
    // a page is read when somebody first opens it: all of them, and the handlers that the fast lane has, take longer than a start may
    preloadEntriesOnStart: false,
  },
  turbopack: {
    resolveAlias: {
      // parts of the form library that no form here uses, kept out of the browser
      'markdown-to-jsx/react': { browser: './components/studio/no-markdown.ts' },
      '@x0k/json-schema-merge': { browser: './components/studio/no-merging.ts' },
      '@x0k/json-schema-merge/lib/array': { browser: './components/studio/no-merging.ts' },
      'fast-uri': { browser: './components/studio/no-references.ts' },
    },
  },
  // native, or large, or they look for their own files: Node loads them, Turbopack leaves them alone
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
