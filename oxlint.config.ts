import type { DummyRuleMap, OxlintConfig } from 'oxlint';

/** Files or folders of the project, the other ones they may import, and the message that explains the rule. */
interface Layer {
  files: string[];
  may: string[];
  says: string;
  /** Whether React and Next may be imported. */
  pages?: boolean;
}

/** Constants and small pure functions that server and browser share. */
const PURE = [
  'lib/beginning',
  'lib/errors',
  'lib/events',
  'lib/ids',
  'lib/is-object',
  'lib/media-kind',
  'lib/output-spec',
  'lib/scopes',
  'lib/status',
  'lib/sum',
];

/** Foundation modules that most server code may import. */
export const GROUND = [
  ...PURE,
  'lib/env',
  'lib/issue',
  'lib/limits',
  'lib/log',
  'lib/outage',
  'lib/process',
  'lib/remembered',
  'lib/secrets',
  'lib/server-url',
  'lib/singleton',
  'lib/start-error',
  'lib/storage-url',
  'lib/tally',
];

/** Allowed imports by layer. For a file that several entries name, the last entry applies. */
export const LAYERS: Layer[] = [
  {
    files: ['app'],
    may: [
      ...PURE,
      'components',
      'lib/http',
      'lib/auth',
      'lib/contract',
      'lib/client',
      'lib/openapi',
      'lib/env',
      'lib/accounts',
      'lib/cast',
      'lib/catalog',
      'lib/docs',
      'lib/quotas',
      'lib/generations',
      'lib/ledger-check',
      'lib/library',
      'lib/export',
      'lib/recipes',
      'lib/operator',
      'lib/uploads',
      'lib/mcp',
      'lib/oauth',
      'lib/notices',
      'lib/webhooks',
      'lib/openai-api',
    ],
    says: 'A page or a handler names a verb of a domain (#lib/generations/…, #lib/accounts/…, …) or of #lib/http/….',
    pages: true,
  },
  {
    files: ['components'],
    may: [
      'components',
      ...PURE,
      'client/errors',
      'client/random-key',
      'lib/client',
      'lib/contract',
      'lib/catalog/architecture',
      'lib/catalog/price',
      'lib/catalog/source-seconds',
      'lib/cast/parse-mentions',
      'lib/docs',
    ],
    says: 'A component talks to the server through #lib/client/….',
    pages: true,
  },
  {
    files: ['components/ui'],
    may: [
      'client/errors',
      'client/random-key',
      'lib/client/or-gone',
      'lib/contract/session-words',
      'lib/contract/words',
    ],
    says: 'What every feature is built of knows none of them.',
    pages: true,
  },
  {
    files: ['lib/process'],
    may: GROUND,
    says: 'Processes know nothing of what they run.',
  },
  {
    files: ['lib/contract'],
    may: PURE,
    says: 'The contract is pure zod.',
  },
  {
    files: ['lib/deployment'],
    may: [...GROUND, 'lib/db', 'lib/storage'],
    says: 'A deployment is a database, a store of media and a key.',
  },
  {
    files: ['lib/openapi'],
    may: [...GROUND, 'lib/catalog', 'lib/contract'],
    says: 'The OpenAPI document comes from the contract and the catalog.',
  },
  {
    files: ['lib/client'],
    may: [...PURE, 'client', 'lib/contract'],
    says: 'What pages ask of the server, by the client that everybody has.',
  },
  {
    files: ['lib/db'],
    may: GROUND,
    says: 'The database knows no domain.',
  },
  {
    files: ['lib/documents'],
    may: [...GROUND, 'lib/db'],
    says: 'documents are texts; what they mean is known by those who read them.',
  },
  {
    files: ['lib/storage'],
    may: GROUND,
    says: "storage keeps bytes under keys; who they belong to is the caller's affair.",
  },
  {
    files: ['lib/media'],
    may: [...GROUND, 'lib/storage', 'lib/db'],
    says: 'media reads and writes files.',
  },
  {
    files: ['lib/quotas'],
    may: [...GROUND, 'lib/db'],
    says: 'quotas counts what an account keeps, whoever brings it.',
  },
  {
    files: ['lib/uploads'],
    may: [...GROUND, 'lib/accounts/throttle', 'lib/quotas', 'lib/contract', 'lib/media', 'lib/storage', 'lib/db'],
    says: 'uploads brings media in, whoever asks.',
  },
  {
    files: ['lib/cast'],
    may: [...GROUND, 'lib/quotas', 'lib/contract', 'lib/uploads', 'lib/media', 'lib/storage', 'lib/db'],
    says: 'cast keeps characters and references, whatever is made with them.',
  },
  {
    files: ['lib/catalog'],
    may: [...GROUND, 'lib/contract', 'lib/documents', 'lib/engines', 'lib/db'],
    says: 'The catalog says what models take and cost, whoever uses them.',
  },
  {
    files: ['lib/moderation'],
    may: [...GROUND, 'lib/documents/reloading', 'lib/documents/json-file'],
    says: 'The policy judges words; what follows is decided by #lib/generations/….',
  },
  {
    files: ['lib/engines'],
    may: [...GROUND, 'lib/documents', 'lib/media', 'lib/storage', 'preview-engine/engine'],
    says: 'An engine sees a job and files, never rows or accounts.',
  },
  {
    files: ['preview-engine'],
    may: ['lib/engines/engine', 'lib/engines/remote/held-calls', 'lib/media', 'lib/output-spec', 'lib/process'],
    says: 'The preview engine sees a job and files.',
  },
  {
    files: ['lib/accounts'],
    may: [...GROUND, 'lib/quotas', 'lib/contract', 'lib/db'],
    says: 'accounts is below the orchestrator: #lib/generations/… calls it, not the other way.',
  },
  {
    files: ['lib/ledger-check'],
    may: [...GROUND, 'lib/db', 'lib/storage'],
    says: 'ledger-check reads what the others wrote, and asks none of them.',
  },
  {
    files: ['lib/auth'],
    may: [...GROUND, 'lib/accounts', 'lib/contract'],
    says: 'auth says who somebody is.',
  },
  {
    files: ['lib/auth/page-account'],
    may: [...GROUND, 'lib/accounts', 'lib/auth'],
    says: 'It is for pages and reads their cookies.',
    pages: true,
  },
  {
    files: ['lib/notices'],
    may: [...GROUND, 'lib/accounts', 'lib/contract', 'lib/db', 'lib/media/lifetime'],
    says: 'A notice is raised by whoever has the reason for it.',
  },
  {
    files: ['lib/webhooks'],
    may: [
      ...GROUND,
      'lib/accounts/throttle',
      'lib/contract',
      'lib/db',
      'lib/media/guarded-agent',
      'lib/media/remote-address',
      'lib/media/unusable-media',
      'lib/notices',
      'lib/quotas',
    ],
    says: 'webhooks sends what it is told, whatever that is about.',
  },
  {
    files: ['lib/generations'],
    may: [
      ...GROUND,
      'lib/accounts',
      'lib/cast',
      'lib/catalog',
      'lib/contract',
      'lib/db',
      'lib/engines',
      'lib/life',
      'lib/media',
      'lib/moderation',
      'lib/quotas',
      'lib/storage',
      'lib/uploads',
      'lib/webhooks',
    ],
    says: 'generations is transport-free: #lib/http/… and route files call it.',
  },
  {
    files: ['lib/recipes'],
    may: [
      ...GROUND,
      'lib/accounts',
      'lib/catalog',
      'lib/contract',
      'lib/db',
      'lib/generations',
      'lib/life',
      'lib/storage',
      'lib/uploads',
    ],
    says: 'A recipe makes ordinary requests: what becomes of them is the affair of #lib/generations/… and #lib/life/….',
  },
  {
    files: ['lib/library'],
    may: [...GROUND, 'lib/catalog', 'lib/contract', 'lib/db', 'lib/generations', 'lib/life', 'lib/quotas'],
    says: 'library is what an account puts together of its requests.',
  },
  {
    files: ['lib/export'],
    may: [
      ...GROUND,
      'lib/accounts',
      'lib/cast',
      'lib/db',
      'lib/generations',
      'lib/library',
      'lib/media',
      'lib/notices',
      'lib/recipes',
      'lib/storage',
      'lib/uploads',
      'lib/webhooks',
    ],
    says: 'export reads all that an account has, from whoever keeps it.',
  },
  {
    files: ['lib/operator'],
    may: [
      ...GROUND,
      'lib/accounts',
      'lib/catalog',
      'lib/contract',
      'lib/db',
      'lib/documents',
      'lib/engines',
      'lib/life/live-loads',
    ],
    says: 'operator sets up what makes things; the requests for them are the affair of #lib/generations/….',
  },
  {
    files: ['lib/oauth'],
    may: [...GROUND, 'lib/accounts', 'lib/db', 'lib/http/client-address', 'lib/http/find-flaws', 'lib/media'],
    says: 'oauth lets apps in; what they then do is the affair of #lib/mcp/….',
  },
  {
    files: ['lib/openai-api'],
    may: [
      ...GROUND,
      'lib/accounts',
      'lib/cast',
      'lib/catalog',
      'lib/contract',
      'lib/generations',
      'lib/http',
      'lib/storage',
    ],
    says: 'openai-api says the verbs of the domains in the words of another API.',
  },
  {
    files: ['lib/mcp'],
    may: [
      ...GROUND,
      'lib/accounts',
      'lib/cast',
      'lib/catalog',
      'lib/contract',
      'lib/generations',
      'lib/http',
      'lib/oauth',
      'lib/media/lifetime',
      'lib/storage',
      'lib/uploads',
    ],
    says: 'A tool names a verb of a domain, as a handler does.',
  },
  {
    files: ['lib/life'],
    may: [...GROUND, 'lib/db', 'lib/engines/engine', 'lib/engines/placement', 'lib/engines/serving'],
    says: 'life writes the states of a request, whoever wants them.',
  },
  {
    files: ['lib/worker'],
    may: [
      ...GROUND,
      'lib/accounts/mail',
      'lib/cast',
      'lib/catalog',
      'lib/db',
      'lib/engines',
      'lib/generations',
      'lib/life',
      'lib/media',
      'lib/retention',
      'lib/storage',
      'lib/uploads',
      'lib/notices',
      'lib/recipes',
      'lib/webhooks',
    ],
    says: 'The worker is the top of its process: nothing in lib imports it.',
  },
  {
    files: ['lib/retention'],
    may: [...GROUND, 'lib/db', 'lib/deployment', 'lib/storage', 'lib/uploads'],
    says: 'retention removes what no row asks for any more.',
  },
  {
    files: ['lib/http'],
    may: [
      ...GROUND,
      'lib/quotas',
      'lib/accounts',
      'lib/auth',
      'lib/contract',
      'lib/media',
      'lib/storage',
      'lib/uploads',
    ],
    says: 'http knows callers and requests; what they want is done by the domains that a route file names.',
  },
  {
    files: ['lib/http/health', 'lib/http/scrape', 'lib/http/shared-metrics'],
    may: ['lib'],
    says: 'They look at every part.',
  },
  {
    files: ['lib/cli'],
    may: [
      ...GROUND,
      'lib/accounts',
      'lib/contract',
      'lib/deployment',
      'lib/ledger-check',
      'lib/operator',
      'lib/storage',
    ],
    says: 'The command line prints and takes; cli.ts names the verbs.',
  },
  {
    files: ['lib/docs'],
    may: [...GROUND, 'lib/contract', 'lib/catalog', 'lib/openapi'],
    says: 'The documentation speaks of the contract.',
  },
  {
    files: [...PURE, 'lib/server-url', 'lib/storage-url'],
    may: ['lib/media-kind'],
    says: 'This file is pure and imports next to nothing of ours.',
  },
  {
    files: ['lib/catalog/architecture', 'lib/catalog/price', 'lib/catalog/source-seconds'],
    may: ['lib/contract', 'lib/catalog/catalog-file'],
    says: 'The browser reads the catalog with it.',
  },
  {
    files: ['lib/issue'],
    may: ['lib/errors'],
    says: 'This file is pure.',
  },
];

/** Tests and test helpers, which may import anything. */
const TESTS = ['**/*.test.ts', '**/*test-*.ts', '**/*compliance.ts'];

const BY_NAME = {
  group: ['./**', '../**', '!**/*.css'],
  message: 'Import by name: #lib/…, #preview-engine/… or #components/….',
};
const NO_PAGES = {
  regex: '^(#components/|react$|react/|react-dom|next$|next/)',
  message: 'lib knows no pages: React and Next live in app and components.',
};

// patterns follow gitignore: the last match decides, and a # must be escaped
const OURS = '\\#*/**';

function layerOf({ files, may, says, pages }: Layer) {
  // imports of components are reported by NO_PAGES
  const elsewhere = pages ? [] : ['components'];
  const allowed = [...(may.length > 0 ? files : []), ...may, ...elsewhere].flatMap(name => [
    `!\\#${name}`,
    `!\\#${name}/**`,
  ]);
  const doors = may.filter(name => !GROUND.includes(name)).map(name => `#${name}`);
  const list = doors.join(', ') || 'nothing else of ours';
  return { group: [OURS, ...allowed], message: `${says} ${files.join(', ')} may use ${list}.` };
}

const restrict = (...patterns: object[]): DummyRuleMap => ({ 'no-restricted-imports': ['error', { patterns }] });

const layers = LAYERS.map(layer => ({
  files: layer.files.flatMap(name => [`${name}.ts`, `${name}/**`]),
  excludeFiles: TESTS,
  rules: restrict(BY_NAME, ...(layer.pages ? [] : [NO_PAGES]), layerOf(layer)),
}));

export default {
  plugins: ['eslint', 'typescript', 'unicorn', 'oxc', 'import', 'promise', 'node', 'react', 'jsx-a11y', 'nextjs'],
  categories: { correctness: 'error', suspicious: 'error' },
  options: { typeAware: true, reportUnusedDisableDirectives: 'error' },
  ignorePatterns: ['.next', 'lib/db/migrations', 'next-env.d.ts'],
  rules: {
    eqeqeq: 'error',
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'node/no-process-env': 'error',
    'react/rules-of-hooks': 'off',
    'typescript/ban-ts-comment': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': 'error',
    'import/no-named-as-default-member': 'off',
    'import/no-unassigned-import': 'off',
    'no-shadow': 'off',
    'no-control-regex': 'off',
    'no-unmodified-loop-condition': 'off',
    'promise/always-return': 'off',
    'react/react-in-jsx-scope': 'off',
    'typescript/consistent-return': 'off',
    'typescript/no-base-to-string': 'off',
    'typescript/no-meaningless-void-operator': 'off',
    'typescript/no-misused-spread': 'off',
    'typescript/no-unsafe-type-assertion': 'off',
    'typescript/require-array-sort-compare': 'off',
    'typescript/unbound-method': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'unicorn/no-array-sort': 'off',
    'unicorn/prefer-add-event-listener': 'off',
  },
  overrides: [
    { files: ['lib/**', 'preview-engine/**'], rules: restrict(BY_NAME, NO_PAGES) },
    ...layers,
    {
      files: ['packages/**'],
      excludeFiles: ['packages/client/wire.ts', ...TESTS],
      rules: restrict({
        group: [OURS, '../**'],
        message: 'A published package stands alone and imports nothing of ours.',
      }),
    },
    { files: ['lib/**/*test-server.ts'], rules: { 'no-restricted-imports': 'off' } },
    { files: ['e2e/**'], rules: { 'no-empty-pattern': 'off' } },
    {
      files: ['app/**', 'components/**'],
      rules: { 'react/rules-of-hooks': 'error', 'react/exhaustive-deps': 'error' },
    },
    {
      files: [
        'lib/env.ts',
        'lib/process/env-file.ts',
        'lib/process/stop-signals.ts',
        'packages/client/cli.ts',
        'server.ts',
        'instrumentation.ts',
        '*.config.ts',
        'scripts/**',
        'bench/**',
        'e2e/**',
        ...TESTS,
      ],
      rules: { 'node/no-process-env': 'off' },
    },
  ],
} satisfies OxlintConfig;
