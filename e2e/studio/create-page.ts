import type { Page } from '@playwright/test';
import { untilItListens } from './someone.ts';

/** Opens a form of Create and waits until it is hydrated: text typed before may be lost. */
export async function openCreate(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await untilItListens(page.locator('form#create'));
}

export const promptField = (page: Page) => page.getByRole('textbox', { name: 'Prompt' });
/** The button has this name once the price is known. */
export const createButton = (page: Page) => page.getByRole('button', { name: /^Create [\d,]+ gem/ });
export const results = (page: Page) => page.getByRole('region', { name: 'Results' });
