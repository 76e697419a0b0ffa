import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { checkPolicy } from '#lib/moderation/policy';

process.env.LOG_LEVEL = 'silent';
const dir = mkdtempSync(join(tmpdir(), 'policy-'));
process.env.CATALOG_DIR = dir;
afterAll(() => rmSync(dir, { recursive: true }));

test('checking a prompt fails without a valid policy; a file that becomes invalid keeps the last policy', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const write = (text: string) => {
    writeFileSync(join(dir, 'policy.json'), text);
    vi.advanceTimersByTime(1_000);
  };
  const rules = (...terms: string[]) => JSON.stringify({ rules: [{ id: 'fruit', scope: 'service', terms }] });
  expect(() => checkPolicy('a plum', 'mango')).toThrow('policy.json is not usable');
  write('{"rules":[{}]}');
  expect(() => checkPolicy('a plum', 'mango')).toThrow('policy.json is not usable: /rules/0');
  write(rules('plum'));
  expect(checkPolicy('a plum', 'mango')).toEqual({ scope: 'service', rule: 'fruit' });
  write('{');
  expect(checkPolicy('a plum', 'mango')).toEqual({ scope: 'service', rule: 'fruit' });
  write(rules('pear'));
  expect(checkPolicy('a plum', 'mango')).toBeNull();
});
