import type { Page } from '@playwright/test';

/** The dialog that shows a result large. */
export const viewer = (page: Page) => page.getByRole('dialog', { name: 'Result' });
