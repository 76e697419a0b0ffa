/**
 * The values of this process, whichever copy of this module asks: production holds `lib` twice, once in Next's bundle and once in
 * Node's own loader.
 */
export const singletons = ((globalThis as Record<symbol, unknown>)[Symbol.for('pomona')] ??= new Map()) as Map<
  string,
  unknown
>;

/** One value per process, made when somebody first asks for it. */
export function singleton<T>(name: string, make: () => T): T {
  const known = singletons.get(name);
  if (known !== undefined) return known as T;
  const made = make();
  singletons.set(name, made);
  return made;
}
