import { expect, test } from 'vitest';
import { openapiDocument } from '#lib/openapi';

test('generators of Python clients can read the document, and what they make can read the catalog', () => {
  const text = JSON.stringify(openapiDocument());
  expect(/"items":false/.exec(text)).toBeNull();
  // the members of input_schema are listed before what else it may have
  const inputSchemas = [...text.matchAll(/"input_schema":\{.*?"required":\[(.*?)\]/g)].map(([, names]) => names);
  expect(inputSchemas).toHaveLength(2);
  for (const names of inputSchemas) expect(names).not.toContain('additionalProperties');
});
