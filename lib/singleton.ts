/** Looking a symbol up by its name takes longer than most of what is kept under one takes to be used. */
const keys = new Map<string, symbol>();

/**
 * One value per process, whichever copy of this module asks: production holds `lib` twice, once in Next's bundle and once
 * in Node's own loader.
 */
export function singleton<T>(name: string, make: () => T): T {
  const store = globalThis as Record<symbol, unknown>;
  let key = keys.get(name);
  if (!key) keys.set(name, (key = Symbol.for(`pomona.${name}`)));
  if (!(key in store)) store[key] = make();
  return store[key] as T;
}
