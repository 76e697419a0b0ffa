import { afterEach, expect, test, vi } from 'vitest';
import { MAX_BODY_BYTES, readJson } from '#lib/http/read-json';

afterEach(() => void vi.restoreAllMocks());

const read = (body: string) => readJson(new Request('http://x/', { method: 'POST', body }), 'invalid_request');

test.each([
  ['members', `{${Array.from({ length: 200_000 }, (_, n) => `"m${n}":1`).join()}}`],
  ['levels', '['.repeat(100_000) + ']'.repeat(100_000)],
])('a body of far too many %s is refused before it is parsed', async (_, body) => {
  const parse = vi.spyOn(JSON, 'parse');
  await expect(read(body)).rejects.toMatchObject({ code: 'invalid_request' });
  expect(parse).not.toHaveBeenCalledWith(body);
});

test('a body whose declared length is too large is refused before it is read', async () => {
  const request = new Request('http://x/', {
    method: 'POST',
    headers: { 'content-length': String(MAX_BODY_BYTES + 1) },
    body: '{}',
  });
  await expect(readJson(request, 'invalid_request')).rejects.toMatchObject({ code: 'request_too_large' });
  expect(request.bodyUsed).toBe(false);
});

test('a body with a NUL character or invalid JSON is refused, and a valid body is parsed', async () => {
  await expect(read('{"prompt":"a\\u0000b"}')).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(read('{"prompt":')).rejects.toMatchObject({ code: 'invalid_request' });
  expect(await read('{"prompt":"a pear"}')).toEqual({ prompt: 'a pear' });
});

const LONG = 'x'.repeat(150);
test.each([
  ['{"seed":NaN}', 'not, from character 9 on, where "N" stands'],
  ['{"prompt":True}', 'not, from character 11 on, where "T" stands'],
  ['{"x":undefined}', 'not, from character 6 on, where "u" stands'],
  ['{"a":tru}', 'not, from character 9 on, where "}" stands'],
  ['pear', 'not, from character 1 on, where "p" stands'],
  ['[1,,2]', 'not, from character 4 on, where "," stands'],
  ['{"a":"b",}', 'not, from character 10 on, where "}" stands'],
  ["{'a':1}", 'not, from character 2 on, where "\'" stands'],
  ['{"a":"b\nc"}', 'not, from character 8 on, where "\\n" stands'],
  [`{"prompt":"${LONG}","seed":NaN,"x":"${LONG}"}`, 'not, from character 171 on, where "N" stands'],
  [`{"prompt":"${LONG}",\n\t"a\\"": NaN}`, 'not, from character 173 on, where "N" stands'],
  ['{"prompt":"🌙🌙🌙🌙🌙🌙","x":🌙}', 'not, from character 24 on, where "🌙" stands'],
  ['{"a": position 5 }', 'not, from character 7 on, where "p" stands'],
  ['{"a":"NaN, ...\\"","b":NaN}', 'not, from character 23 on, where "N" stands'],
  ['{"prompt":', 'cut off at its end'],
  ['{"prompt":"pe', 'cut off at its end'],
  ['{"prompt":t', 'cut off at its end'],
  ['', 'empty'],
  [' \n', 'empty'],
])('the refusal of the body %j says where it is not JSON', async (body, found) => {
  const message = `The body must be JSON in UTF-8, not compressed; it is ${found}.`;
  await expect(read(body)).rejects.toMatchObject({ message });
});

test('a form is called a form, and a file not in UTF-8, whatever brackets their bytes contain', async () => {
  const form = new FormData();
  form.set('file', new Blob(['['.repeat(100)]));
  const sent = (body: BodyInit) =>
    readJson(new Request('http://x/', { method: 'POST', body }), 'invalid_request').catch(String);
  expect(await sent(form)).toContain('it is a form.');
  expect(await sent(Buffer.from('\x89PNG' + '[,'.repeat(20_000), 'latin1'))).toContain('it is not in UTF-8.');
});

test('a body that is not UTF-8 is refused with an error that says so', async () => {
  const request = new Request('http://x/', { method: 'POST', body: Buffer.from('{"prompt":"Käse"}', 'latin1') });
  await expect(readJson(request, 'invalid_request')).rejects.toThrow('it is not in UTF-8.');
});

test('the refusal of a body that is not JSON quotes no more than one character of it', async () => {
  await expect(read('{"password":hunter2}')).rejects.toThrow(/from character 13 on, where "h" stands\.$/);
});
