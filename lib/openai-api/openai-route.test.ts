import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { Handler } from '#lib/http/route';

const APP = resolve(import.meta.dirname, '../../app/openai');
/** Codes of refusals by status; a path without an operation refuses a missing key first. */
const REFUSED: Record<number, string> = { 401: 'invalid_api_key', 405: 'method_not_allowed' };
const files = (await readdir(APP, { recursive: true })).filter(file => file.endsWith('route.ts'));

test.each(files)('%s refuses unsupported methods with an error in the OpenAI shape', async file => {
  const route = (await import(/* @vite-ignore */ join(APP, file))) as Record<string, Handler>;
  for (const method of ['PATCH', 'OPTIONS']) {
    const request = new Request('http://localhost/openai/v1', { method });
    const answer = await route[method]!(request, { params: Promise.resolve({}) });
    const { error } = (await answer.json()) as { error: object };
    expect(error).toEqual({
      message: expect.any(String),
      type: 'invalid_request_error',
      param: null,
      code: REFUSED[answer.status],
    });
    expect(answer.headers.has('allow')).toBe(answer.status === 405);
  }
});
