import { expect, test, vi } from 'vitest';
import { readForm } from '#lib/openai-api/read-form';

test('fields with bracketed names, repeated fields and files of a form become members of the body', async () => {
  const form = new FormData();
  form.append('prompt', 'dusk');
  for (const name of ['image[]', 'mask']) for (const value of ['a', 'b']) form.append(name, value);
  form.append('input_reference[image_url]', 'c');
  form.append('file', new File(['x'], 'x.png'));
  expect(await readForm(new Request('http://x/', { method: 'POST', body: form }))).toEqual({
    prompt: 'dusk',
    image: ['a', 'b'],
    mask: ['a', 'b'],
    input_reference: { image_url: 'c' },
    file: 'data:application/octet-stream;base64,eA==',
  });
});

const formOf = (body: string, boundary = '"b b"') => {
  const headers = { 'content-type': `multipart/form-data; charset=utf-8; boundary=${boundary}` };
  return new Request('http://x/', { method: 'POST', headers, body });
};
const part = (more = '', value = '1') => `--b b\r\nContent-Disposition: form-data; name="a"${more}\r\n\r\n${value}\r\n`;

test.each([
  ['at most 100 parts', part('; filename=""', '').repeat(20_000)],
  ['at most 100 parts', part().repeat(101)],
  ['at most 16384 bytes', part(`; x="${'y'.repeat(16_384)}"`) + part()],
  ['at most 16384 bytes', part() + part('\r\na:b'.repeat(4_000))],
])('a form over the parsing limits is refused before it is parsed: %s', async (message, parts) => {
  const formData = vi.spyOn(Response.prototype, 'formData');
  await expect(readForm(formOf(`${parts}--b b--\r\n`))).rejects.toThrow(message);
  expect(formData).not.toHaveBeenCalled();
  formData.mockRestore();
});

test('a form with 100 parts, one of them large, is accepted', async () => {
  const large = 'x'.repeat(100_000);
  const { a } = await readForm(formOf(`${part().repeat(99)}${part('', large)}--b b--\r\n`));
  expect(a).toEqual([...Array.from({ length: 99 }, () => '1'), large]);
});

test.each(['', ' ', '"'])('a form with an invalid boundary is refused as malformed: %j', async boundary => {
  await expect(readForm(formOf(part(), boundary))).rejects.toThrow('malformed');
});
