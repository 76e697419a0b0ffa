import { request, test as base, type APIRequestContext } from '@playwright/test';

type Options = NonNullable<Parameters<typeof request.newContext>[0]>;

const open = new Set<APIRequestContext>();

/** Opens a request context that is disposed with the test: Playwright visits all open contexts around each test. */
export async function openContext(options?: Options): Promise<APIRequestContext> {
  const context = await request.newContext(options);
  open.add(context);
  return context;
}

/** Base test that disposes the contexts opened by `openContext`. */
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
