import { expect, test } from 'vitest';
import { readForm } from '#lib/openai-api/read-form';

test('the members of a form have the names that clients write them by', async () => {
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
