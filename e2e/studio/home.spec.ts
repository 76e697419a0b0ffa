import { expectAccessible } from '../page-checks.ts';
import { expect, test } from './someone.ts';

test('the home page shows images, video and audio, and does not scroll sideways on phones', async ({ page }) => {
  await page.goto('/');
  const wall = page.getByRole('list', { name: 'Made by Pomona' });
  const pictures = wall.getByRole('img');
  await expect(pictures).toHaveCount(5);
  for (const picture of await pictures.all())
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(400);
  const film = wall.locator('video');
  await expect.poll(() => film.evaluate((video: HTMLVideoElement) => video.currentTime)).toBeGreaterThan(0);
  await wall.getByRole('listitem').filter({ hasText: 'rain' }).getByRole('button', { name: 'Play' }).click();
  await expect
    .poll(() => wall.locator('audio').evaluate((sound: HTMLAudioElement) => sound.currentTime))
    .toBeGreaterThan(0);
  const takes = (id: string) => page.locator(`#${id}`).getByRole('list', { name: 'Takes besides a prompt' });
  await expect(takes('mango')).toContainText('mentions');
  await expect(takes('ltx_video')).not.toContainText('mentions');
  for (const width of [320, 360, 390, 430]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
  await expectAccessible(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await expectAccessible(page);
});

test('the theme changes without animation under reduced motion, and is kept after a reload', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.goto('/');
  const ink = () => page.evaluate(() => getComputedStyle(document.body).color);
  const light = await ink();
  const toggle = page.getByRole('button', { name: 'Switch between light and dark' });
  const press = (button: HTMLElement) => {
    button.click();
    return document.getAnimations().length;
  };
  await expect.poll(async () => [await toggle.evaluate(press), (await ink()) !== light]).toEqual([0, true]);
  const dark = await ink();
  await page.reload();
  expect(await ink()).toBe(dark);
});
