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

test('the code of every page names models that are made here', () => {
  expect(live).toContain('z_image');
  expect(absent).toContain('mango');
  // the guide to engines may name any model
  const pages = docsPages().filter(({ kind, path }) => kind !== 'model' && path !== '/docs/engines');
  for (const { path, markdown } of pages)
    for (const [, language, code = ''] of markdown.matchAll(/^```(\w+)\n([^]*?)^```/gm))
      for (const id of language === 'json' ? [] : absent)
        expect(code, path).not.toMatch(new RegExp(String.raw`['"/ ]${id}(-v3)?\b`));
});

test('where nobody can do as much an example has one of the same kind', () => {
  expect(exampleModel('mango', 'characters')?.type).toBe('image');
  expect(exampleModel('seed_audio')?.type).toBe('image');
});
