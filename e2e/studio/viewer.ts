import type { Page } from '@playwright/test';

/** Dialog that shows a result large. */
export const viewer = (page: Page) => page.getByRole('dialog', { name: 'Result' });
