/**
 * The singletons of this process, shared by all copies of this module: production loads `lib` twice, once in Next's
 * bundle and once in Node's own loader.
 */
export const singletons = ((globalThis as Record<symbol, unknown>)[Symbol.for('pomona')] ??= new Map()) as Map<
  string,
  unknown
>;

/** Returns the one value of this name in the process, created on first use. */
export function singleton<T>(name: string, make: () => T): T {
  const known = singletons.get(name);
  if (known !== undefined) return known as T;
  const made = make();
  singletons.set(name, made);
  return made;
}
