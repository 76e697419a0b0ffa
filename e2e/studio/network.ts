import type { Page, Route } from '@playwright/test';

/** Holds back the requests of a page to `address`; the returned function releases them. */
export async function hold(page: Page, address: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(address, async route => {
    await promise;
    await route.continue();
  });
  return resolve;
}

/** Lets the server answer the page's first request to `address`; the returned function hands the answer to the page. */
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

/** Lets the server answer the page's requests to `address`, but drops the answers, `times` times. */
export const loseAnswers = (page: Page, address: string, times = 1) =>
  page.route(
    address,
    async route => {
      await route.fetch();
      await route.abort();
    },
    { times },
  );

/** Has the page's next request to `address` refused as if the user had signed in a while ago. */
export const refuseOldSignIn = (page: Page, address: string) => {
  const error = { code: 'sign_in_again', message: 'This needs a sign-in within the last 10 minutes.' };
  return page.route(address, route => route.fulfill({ status: 403, json: { error } }), { times: 1 });
};
