import { request, type APIRequestContext } from '@playwright/test';

type Options = NonNullable<Parameters<typeof request.newContext>[0]>;

const open = new Set<APIRequestContext>();

/** A client of its own, which ends with the test: Playwright visits whatever is open before and after each test. */
export async function openContext(options?: Options): Promise<APIRequestContext> {
  const context = await request.newContext(options);
  open.add(context);
  return context;
}

export async function closeContexts(): Promise<void> {
  const left = [...open];
  open.clear();
  await Promise.all(left.map(context => context.dispose()));
}
