import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { inspect } from 'node:util';
import { StartError } from '#lib/start-error';
import { ensureBuild } from './build.ts';
import { ensureChromium } from './ensure-chromium.ts';

// Runs all tests for `npm test`. The last line of the output is their sum.

interface Tally {
  passed: number;
  /** Place and error of each failed test. */
  failed: string[];
}

interface VitestReport {
  numPassedTests: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
}

interface PlaywrightSuite {
  suites?: PlaywrightSuite[];
  specs: {
    file: string;
    line: number;
    title: string;
    ok: boolean;
    tests: { results: { error?: { message: string } }[] }[];
  }[];
}

interface PlaywrightReport {
  stats: { expected: number; flaky: number };
  suites: PlaywrightSuite[];
  errors: { message?: string }[];
}

const ROOT = resolve(import.meta.dirname, '..');
/** TMPDIR of the tests: removing it removes whatever they leave behind. */
const folder = mkdtempSync(join(tmpdir(), 'pomona-tests-'));
// when run as root, Postgres runs as another user, which must be able to traverse the folder
chmodSync(folder, 0o711);

interface Run {
  name: string;
  tool: string;
  args: string[];
  env?: Record<string, string>;
  count: (report: string) => Tally;
  /** Whether to show its output only at its end, because another run prints meanwhile. */
  later?: true;
}

async function run({ name, tool, args, env, count, later }: Run): Promise<Tally> {
  const options = {
    cwd: ROOT,
    // a compile cache, as most tests start many processes of the same code
    env: { ...process.env, TMPDIR: folder, NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/node'), ...env },
    stdio: later ? ('pipe' as const) : ('inherit' as const),
  };
  const child = spawn(process.execPath, [join(ROOT, 'node_modules', tool), ...args], options);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', chunk => (output += String(chunk)));
  const [status] = await once(child, 'close');
  process.stdout.write(output);
  let tally: Tally;
  try {
    tally = count(readFileSync(join(folder, name), 'utf8'));
  } catch (error) {
    tally = { passed: 0, failed: [`${name} left no report: ${String(error)}`] };
  }
  // the tool failed although no test did, for example on an unhandled error
  if (status !== 0 && tally.failed.length === 0) tally.failed.push(`${name} ended with ${status}`);
  return tally;
}

function countVitest(text: string): Tally {
  const { numPassedTests, testResults } = JSON.parse(text) as VitestReport;
  const failed = testResults
    .filter(file => file.status === 'failed')
    .flatMap(({ name, message, assertionResults }) => {
      const tests = assertionResults
        .filter(test => test.status === 'failed')
        .map(test => `${test.fullName}\n${test.failureMessages.join('\n')}`);
      // a file that cannot be loaded fails without having tests
      return (tests.length ? tests : [message]).map(test => `${relative(ROOT, name)} › ${test}`);
    });
  return { passed: numPassedTests, failed };
}

function countPlaywright(text: string): Tally {
  const { stats, suites, errors } = JSON.parse(text) as PlaywrightReport;
  const specsOf = (suite: PlaywrightSuite): PlaywrightSuite['specs'] => [
    ...suite.specs,
    ...(suite.suites ?? []).flatMap(specsOf),
  ];
  const failed = suites
    .flatMap(specsOf)
    .filter(spec => !spec.ok)
    .map(({ file, line, title, tests }) => {
      const messages = tests.flatMap(test => test.results.map(result => result.error?.message ?? ''));
      return `e2e/${file}:${line} › ${title}\n${messages.join('\n')}`;
    });
  return { passed: stats.expected + stats.flaky, failed: [...failed, ...errors.map(error => error.message ?? '')] };
}

const vitest = (name: string): Run => ({
  name,
  tool: 'vitest/vitest.mjs',
  args: ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${join(folder, name)}`],
  count: countVitest,
});

/** Returns a run of the end-to-end tests whose path matches the pattern. */
const playwright = (name: string, pattern: string): Run => ({
  name,
  tool: '@playwright/test/cli.js',
  args: ['test', pattern, '--reporter=list,json', `--output=test-results/${name}`],
  env: { PLAYWRIGHT_JSON_OUTPUT_FILE: join(folder, name) },
  count: countPlaywright,
});

/** Runs the fault tests beside the others: they mostly wait until a dead process is noticed, which takes no cores. */
async function runAll(): Promise<Tally[]> {
  const faults = { ...playwright('faults', 'e2e/faults/'), later: true as const };
  const others = async () => [await run(vitest('unit')), await run(playwright('rest', 'e2e/(?!faults/)'))];
  const [broken, tallies] = await Promise.all([run(faults), others()]);
  return [broken, ...tallies];
}

let tallies: Tally[];
try {
  ensureChromium();
  await ensureBuild();
  tallies = await runAll();
} catch (error) {
  tallies = [{ passed: 0, failed: [error instanceof StartError ? error.message : inspect(error)] }];
} finally {
  rmSync(folder, { recursive: true, maxRetries: 20 });
}
const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0);
const failed = tallies.flatMap(tally => tally.failed);
// repeated here, since much was printed after the failures
if (failed.length) console.log(`\nFailed:\n\n${failed.join('\n\n')}\n`);
console.log(`${passed} passed, ${failed.length} failed`);
process.exitCode = failed.length ? 1 : 0;
