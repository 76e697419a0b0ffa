/** Like `Promise.all`, but nothing goes on any more when it rejects. */
export async function allOrNone<T extends readonly unknown[]>(work: { [K in keyof T]: Promise<T[K]> }): Promise<T> {
  await Promise.allSettled(work);
  return await Promise.all(work);
}
