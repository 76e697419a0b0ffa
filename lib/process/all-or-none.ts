/** Like `Promise.all`, but rejects only after all promises have settled, so no work continues afterwards. */
export async function allOrNone<T extends readonly unknown[]>(work: { [K in keyof T]: Promise<T[K]> }): Promise<T> {
  await Promise.allSettled(work);
  return await Promise.all(work);
}
