import { Readable } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { patientJson } from '#lib/openai-api/patient-json';

test('a pending response streams spaces, then the complete JSON', async () => {
  const known = Promise.withResolvers<void>();
  async function* parts() {
    await known.promise;
    yield '{"a":';
    yield '1}';
  }
  const answer = patientJson(parts(), { headers: { 'pomona-gems': '10' }, everyMs: 5 });
  expect(answer.headers.get('pomona-gems')).toBe('10');
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader.read()).value).toBe(' ');
  expect((await reader.read()).value).toBe(' ');
  known.resolve();
  let text = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    text += value;
  }
  expect(JSON.parse(text)).toEqual({ a: 1 });
});

test('cancelling a response midway closes the file that it reads from', async () => {
  const file = new Readable({ read() {} });
  async function* parts() {
    for await (const piece of file) yield String(piece);
  }
  const reader = patientJson(parts(), { headers: {} }).body!.getReader();
  file.push('{"a":');
  await reader.read();
  await reader.cancel();
  expect(file.destroyed).toBe(true);
});

test('a response that fails midway leaves no timers running', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  async function* parts(): AsyncGenerator<string> {
    yield '{"a":';
    throw new Error('the file is gone');
  }
  await expect(patientJson(parts(), { headers: {} }).text()).rejects.toThrow('the file is gone');
  expect(vi.getTimerCount()).toBe(0);
});
