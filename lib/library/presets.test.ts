import { expect, test } from 'vitest';
import { useOwnDatabase } from '#lib/db/test-database';
import { accountId, make, other } from '#lib/generations/test-results';
import { createPreset, listPresets, removePreset, renamePreset } from '#lib/library/presets';
import { findPrompts } from '#lib/library/prompts';

await useOwnDatabase();

test('presets belong to an account and a known model, and a style contains nothing but a prompt', async () => {
  const { id } = await createPreset(accountId, { name: 'wet', architecture: null, settings: { prompt: 'in rain' } });
  await createPreset(accountId, { name: 'square', architecture: 'mango', settings: { aspect_ratio: '1:1' } });
  expect((await listPresets(accountId)).map(({ name }) => name)).toEqual(['square', 'wet']);
  for (const wrong of [
    { name: 'x', architecture: 'no-such', settings: {} },
    { name: 'x', architecture: null, settings: { prompt: 'x', seed: 1 } },
    { name: 'x', architecture: 'mango', settings: { prompt: 'é'.repeat(35_000) } },
  ])
    await expect(createPreset(accountId, wrong)).rejects.toMatchObject({ code: 'invalid_request' });
  expect(await renamePreset(accountId, id, 'rainy')).toMatchObject({ name: 'rainy', body: { prompt: 'in rain' } });
  await expect(renamePreset(other, id, 'mine')).rejects.toMatchObject({ code: 'not_found' });
  await expect(renamePreset(accountId, 'x', 'mine')).rejects.toMatchObject({ code: 'not_found' });
  await expect(removePreset(other, id)).rejects.toMatchObject({ code: 'not_found' });
  await removePreset(accountId, id);
  expect(await listPresets(accountId)).toHaveLength(1);
});

test('each prompt is listed once, newest first', async () => {
  for (const [prompt, daysAgo] of [
    ['a plum', 4],
    ['a fig', 3],
    ['a plum', 2],
  ] as const)
    await make({ prompt, daysAgo });
  expect(await findPrompts(accountId, undefined)).toEqual(['a plum', 'a fig']);
  expect(await findPrompts(accountId, 'fig')).toEqual(['a fig']);
});
