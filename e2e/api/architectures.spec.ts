import sharp from 'sharp';
import { expect, test } from '../fixtures.ts';
import { inspect } from '../media.ts';
import type { MediaKind } from '#lib/media-kind';

// every architecture of the catalog makes a real file, with its cheapest config

/** The smallest resolution and shortest duration that each architecture offers. */
const LEAST: Record<string, { type: MediaKind; body?: object }> = {
  mango: { type: 'image', body: { resolution: '1K' } },
  guava: { type: 'image' },
  anima: { type: 'image' },
  z_image: { type: 'image' },
  chroma: { type: 'image' },
  hidream: { type: 'image' },
  kiwi: { type: 'video', body: { resolution: '480p', duration: '5' } },
  blueberry: { type: 'video', body: { resolution: '720p', duration: '2' } },
  cherry: { type: 'video', body: { resolution: '480p', duration: '4' } },
  raspberry: { type: 'video', body: { resolution: '720p', duration: '2' } },
  berry: { type: 'video', body: { resolution: '480p', duration: '3' } },
  melon: { type: 'video', body: { resolution: '540p', duration: '3' } },
  plum: { type: 'video', body: { resolution: '480P', duration: '5' } },
  lemon: { type: 'video', body: { resolution: '480p', duration: '2' } },
  ltx_video: { type: 'video', body: { resolution: '240p' } },
  seed_audio: { type: 'audio' },
};

test('the catalog lists the sixteen architectures with their types', async ({ customer }) => {
  const { architectures } = await (await customer.api.get('/v1/architectures')).json();
  const types = Object.fromEntries(architectures.map(({ id, type }: { id: string; type: string }) => [id, type]));
  expect(types).toEqual(Object.fromEntries(Object.entries(LEAST).map(([id, { type }]) => [id, type])));
});

for (const [architecture, { type, body }] of Object.entries(LEAST)) {
  test(`${architecture} produces a file that matches its result`, async ({ customer }, { project }) => {
    test.skip(project.name === 'api-next', 'the same worker makes them');
    test.slow();
    const { result, ...request } = await customer.generate({
      architecture,
      body: { prompt: 'a garden at noon', ...body },
    });
    expect(request).toMatchObject({ architecture, type, model_id: expect.stringMatching(/./) });
    expect(result.type).toBe(type);
    const bytes = await (await customer.api.get(result.url)).body();
    expect(bytes).toHaveLength(result.bytes);
    if (type === 'image') {
      const { format, width, height } = await sharp(bytes).metadata();
      expect({ format, width, height }).toEqual({ format: 'png', width: result.width, height: result.height });
      return;
    }
    const facts = await inspect(bytes);
    expect(facts.duration).toBeCloseTo(result.duration ?? 0, 0);
    if (type === 'audio') expect(facts.audio?.codec).toBe('mp3');
    else expect(facts.video).toMatchObject({ codec: 'avc', width: result.width, height: result.height });
  });
}
