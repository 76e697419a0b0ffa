import { openCreate, promptField } from './create-page.ts';
import { expect, test } from './someone.ts';

// names and addresses without a place to break

const WORD = 'Abcdefghij'.repeat(7);
const SIZES = [
  [390, 844],
  [1440, 900],
] as const;

test.describe.configure({ timeout: 120_000 });

for (const [width, height] of SIZES) {
  test.describe(`in a window of ${width}`, () => {
    test.use({ viewport: { width, height } });

    test('a long word in a prompt leaves the form as wide as it was', async ({ someone: { page } }) => {
      if (width > 1000) await openCreate(page, '/create/mango');
      else {
        await page.goto('/create/mango');
        await page.getByRole('button', { name: 'Write a prompt' }).click();
      }
      const before = await promptField(page).boundingBox();
      await promptField(page).fill(WORD);
      expect((await promptField(page).boundingBox())!.width).toBe(before!.width);
    });
  });
}
