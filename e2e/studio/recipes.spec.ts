import { expect, expectAccessible, pictureFile, test } from './someone.ts';

// several generations as one: found from Create, priced, run, opened, and run again where it stopped

// pictures are made one after the other
test.describe.configure({ timeout: 90_000 });

test('a recipe is found from Create, priced as its form changes, run to its end and opened', async ({ someone }) => {
  const { page, call } = someone;
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/create');
  await page.getByRole('button', { name: 'Recipes', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Recipes' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Storyboard' }).click();

  const run = page.getByRole('button', { name: /^Run [\d,]+ gem/ });
  await page.getByLabel('Shots').fill('A harbour at dawn\nA letter is opened\n');
  await expect(run).toContainText('171');
  await run.click();
  await expect(page.getByText('This is needed')).toBeVisible();
  await page.getByLabel('Cast').fill('Mara, 60, captain of the ferry');
  await page.setViewportSize({ width: 390, height: 844 });
  await run.click();
  const story = page.getByRole('region', { name: 'Run of Storyboard' });
  await expect(story.getByText('done, 2 of 2')).toBeVisible({ timeout: 60_000 });
  await expect(story.getByText('171').first()).toBeVisible();
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await story.getByRole('link', { name: 'Open: Shot 1 of a film: A harbour at dawn' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');

  // cancelled in its first step, it goes on where it stopped
  const started = await call('POST', '/v1/recipes/storyboard', { shots: ['One'], cast: 'Mara' });
  const { cancel_url } = (await started.json()) as { cancel_url: string };
  await call('POST', cancel_url);
  await page.reload();
  const [stopped] = await page.getByRole('region', { name: 'Run of Storyboard' }).all();
  await stopped!.getByRole('button', { name: 'Run what is missing' }).click();
  await expect(stopped!.getByText('done')).toHaveCount(2, { timeout: 60_000 });
});

test('a picture goes into a recipe by its form', async ({ someone: { page } }) => {
  await page.goto('/recipes/relight');
  await page.getByLabel('Picture: take a file').setInputFiles(await pictureFile());
  await page.getByLabel('Light', { exact: true }).selectOption('neon');
  await expect(page.getByRole('button', { name: 'Remove picture' })).toBeVisible();
  await page.getByRole('button', { name: /^Run [\d,]+ gem/ }).click();
  await expect(page.getByRole('region', { name: 'Run of Relight' }).getByText('done')).toBeVisible({ timeout: 60_000 });
});
