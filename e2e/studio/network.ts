import type { Page, Route } from '@playwright/test';

/** Lets what a page asks for there wait until what is given back is called. */
export async function hold(page: Page, address: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(address, async route => {
    await promise;
    await route.continue();
  });
  return resolve;
}

/** Has the server answer the first thing that a page asks for there; the page learns of it when what is given back is called. */
export async function holdAnswer(page: Page, address: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const tellLater = async (route: Route) => {
    const response = await route.fetch();
    await promise;
    await route.fulfill({ response });
  };
  await page.route(address, tellLater, { times: 1 });
  return resolve;
}

/** Has the server answer what a page asks for there, so many times, and the answers get lost. */
export const loseAnswers = (page: Page, address: string, times = 1) =>
  page.route(
    address,
    async route => {
      await route.fetch();
      await route.abort();
    },
    { times },
  );
