/**
 * One value per process, whichever copy of this module asks: production holds `lib` twice, once in Next's bundle and once
 * in Node's own loader.
 */
export function singleton<T>(name: string, make: () => T): T {
  const store = globalThis as Record<symbol, unknown>;
  const key = Symbol.for(`pomona.${name}`);
  if (!(key in store)) store[key] = make();
  return store[key] as T;
}
