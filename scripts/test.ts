import { spawnSync } from 'node:child_process';
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

function run(
  tool: string,
  args: string[],
  report: string,
  env: Record<string, string>,
  count: (text: string) => Tally,
): Tally {
  const file = join(reports, report);
  const options = { cwd: ROOT, stdio: 'inherit' as const, env: { ...process.env, ...env } };
  const { status } = spawnSync(process.execPath, [join(ROOT, 'node_modules', tool), ...args], options);
  let tally: Tally;
  try {
    tally = count(readFileSync(file, 'utf8'));
  } catch (error) {
    console.error(`${tool} left no report:`, error);
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

function runAll(): Tally[] {
  const unit = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${join(reports, 'unit.json')}`];
  const e2e = ['test', '--reporter=list,json'];
  return [
    run('vitest/vitest.mjs', unit, 'unit.json', {}, countVitest),
    run(
      '@playwright/test/cli.js',
      e2e,
      'e2e.json',
      { PLAYWRIGHT_JSON_OUTPUT_FILE: join(reports, 'e2e.json') },
      countPlaywright,
    ),
  ];
}

let tallies: Tally[];
try {
  ensureChromium();
  await ensureBuild();
  tallies = runAll();
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
