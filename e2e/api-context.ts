import { request, test as base, type APIRequestContext } from '@playwright/test';

type Options = NonNullable<Parameters<typeof request.newContext>[0]>;

const open = new Set<APIRequestContext>();

/** A client of its own, which ends with the test: Playwright visits whatever is open before and after each test. */
export async function openContext(options?: Options): Promise<APIRequestContext> {
  const context = await request.newContext(options);
  open.add(context);
  return context;
}

/** Each ends the clients that it opened. */
export const test = base.extend<{ closing: void }>({
  closing: [
    async ({}, use) => {
      await use();
      const left = [...open];
      open.clear();
      await Promise.all(left.map(context => context.dispose()));
    },
    { auto: true },
  ],
});
