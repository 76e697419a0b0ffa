/** Replaces `fast-uri`, with which @rjsf/utils follows `$ref` to other schemas: catalog schemas do not use it. */
const uris = {
  equal: (a: string, b: string) => a === b,
  resolve(): never {
    throw new Error('The schema of a form must not refer to another one.');
  },
};

export default uris;
