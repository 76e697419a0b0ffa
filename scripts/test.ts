import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { StartError } from '#lib/process/start-error';
import { ensureBuild } from './build.ts';
import { ensureChromium } from './ensure-chromium.ts';

/** All tests: `npm test`. The last line is their sum. */
interface Tally {
  passed: number;
  failed: number;
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  testResults: { status: string; assertionResults: unknown[] }[];
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number };
  errors: unknown[];
}

const ROOT = resolve(import.meta.dirname, '..');
const reports = mkdtempSync(join(tmpdir(), 'pomona-reports-'));

interface Run {
  name: string;
  tool: string;
  args: string[];
  env?: Record<string, string>;
  count: (report: string) => Tally;
  /** Shows what it prints only when it has ended: another one prints meanwhile. */
  later?: true;
}

async function run({ name, tool, args, env, count, later }: Run): Promise<Tally> {
  const options = {
    cwd: ROOT,
    // most of them start many processes of the same code
    env: { ...process.env, NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/node'), ...env },
    stdio: later ? ('pipe' as const) : ('inherit' as const),
  };
  const child = spawn(process.execPath, [join(ROOT, 'node_modules', tool), ...args], options);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', chunk => (output += String(chunk)));
  const [status] = await once(child, 'close');
  process.stdout.write(output);
  let tally: Tally;
  try {
    tally = count(readFileSync(join(reports, name), 'utf8'));
  } catch (error) {
    console.error(`${name} left no report:`, error);
    tally = { passed: 0, failed: 1 };
  }
  // it found fault with something that is no test
  if (status !== 0 && tally.failed === 0) tally.failed = 1;
  return tally;
}

function countVitest(text: string): Tally {
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(text) as VitestReport;
  // a file that cannot be loaded has no tests, yet failed
  const broken = testResults.filter(file => file.status === 'failed' && file.assertionResults.length === 0).length;
  return { passed: numPassedTests, failed: numFailedTests + broken };
}

function countPlaywright(text: string): Tally {
  const { stats, errors } = JSON.parse(text) as PlaywrightReport;
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected + errors.length };
}

const vitest = (name: string): Run => ({
  name,
  tool: 'vitest/vitest.mjs',
  args: ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${join(reports, name)}`],
  count: countVitest,
});

/** The end-to-end tests whose path fits the pattern. */
const playwright = (name: string, pattern: string): Run => ({
  name,
  tool: '@playwright/test/cli.js',
  args: ['test', pattern, '--reporter=list,json', `--output=test-results/${name}`],
  env: { PLAYWRIGHT_JSON_OUTPUT_FILE: join(reports, name) },
  count: countPlaywright,
});

/** The tests with faults mostly wait until a process is missed; the unit tests keep the cores busy meanwhile. */
async function runAll(): Promise<Tally[]> {
  const together = [vitest('unit'), { ...playwright('faults', 'e2e/faults/'), later: true as const }];
  return [...(await Promise.all(together.map(run))), await run(playwright('rest', 'e2e/(?!faults/)'))];
}

let tallies: Tally[];
try {
  ensureChromium();
  await ensureBuild();
  tallies = await runAll();
} catch (error) {
  console.error(error instanceof StartError ? error.message : error);
  tallies = [{ passed: 0, failed: 1 }];
} finally {
  rmSync(reports, { recursive: true });
}
const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0);
const failed = tallies.reduce((sum, tally) => sum + tally.failed, 0);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
