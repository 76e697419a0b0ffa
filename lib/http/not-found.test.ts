import { expect, test } from 'vitest';
import { notFound } from '#lib/http/not-found';

test('an unknown path is told where every path is listed, and where OpenAI clients are served', async () => {
  const request = new Request('http://localhost/v1/images/generations', { method: 'POST' });
  const response = await notFound(request, { params: Promise.resolve({}) });
  expect(response.status).toBe(404);
  const { error } = (await response.json()) as { error: { message: string } };
  expect(error.message).toMatch(
    /\/v1\/images\/generations\. GET \/v1\/openapi\.json .* OpenAI clients call \/openai\/v1\.$/,
  );
});
