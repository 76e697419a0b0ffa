/**
 * What is remembered of objects that come and go by the thousand, on each of them. The values of a `WeakMap` outlive every small
 * collection of garbage, gone though their objects are: with requests in one, all of a request stayed until the next large one.
 */
export function noted<K extends object, V>(name: string) {
  const note = Symbol(name);
  type Noted = K & { [note]?: V };
  return {
    get: (of: K): V | undefined => (of as Noted)[note],
    set: (of: K, value: V): void => void ((of as Noted)[note] = value),
  };
}
