/**
 * Keeps a note on each of many short-lived objects, in a property of the object. A `WeakMap` would keep its values
 * through minor garbage collections: with requests as keys, everything of a request stayed in memory until the next
 * major one.
 */
export function noted<K extends object, V>(name: string) {
  const note = Symbol(name);
  type Noted = K & { [note]?: V };
  return {
    get: (of: K): V | undefined => (of as Noted)[note],
    set: (of: K, value: V): void => void ((of as Noted)[note] = value),
  };
}
