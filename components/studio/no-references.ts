/** Stands in for `fast-uri`, with which @rjsf/utils follows `$ref` from one schema to another: catalog schemas have none. */
const uris = {
  equal: (a: string, b: string) => a === b,
  resolve(): never {
    throw new Error('The schema of a form must not refer to another one.');
  },
};

export default uris;
