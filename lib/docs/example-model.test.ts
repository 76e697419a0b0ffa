import { expect, test } from 'vitest';
import { fileCatalog } from '#lib/catalog/catalog';
import { catalogResponse } from '#lib/catalog/catalog-response';
import { exampleModel } from '#lib/docs/example-model';
import { docsPages } from '#lib/docs/pages';

// without the preview engine, only models with a ComfyUI workflow are served
Object.assign(process.env, { PREVIEW: 'off', COMFYUI_URL: 'http://10.0.0.7:8188' });

const live = catalogResponse().body.architectures.map(({ id }) => id);
const absent = fileCatalog()
  .all()
  .flatMap(({ id }) => (live.includes(id) ? [] : id));

test('code examples in the docs name only models that this deployment serves', () => {
  expect(live).toContain('z_image');
  expect(absent).toContain('mango');
  // the guide to engines may name any model
  const pages = docsPages().filter(({ kind, path }) => kind !== 'model' && path !== '/docs/engines');
  for (const { path, markdown } of pages)
    for (const [, language, code = ''] of markdown.matchAll(/^```(\w+)\n([^]*?)^```/gm))
      for (const id of language === 'json' ? [] : absent)
        expect(code, path).not.toMatch(new RegExp(String.raw`['"/ ]${id}(-v3)?\b`));
});

test('an example falls back to an image model if no served model supports its feature or media type', () => {
  expect(exampleModel('mango', 'characters')?.type).toBe('image');
  expect(exampleModel('seed_audio')?.type).toBe('image');
});
