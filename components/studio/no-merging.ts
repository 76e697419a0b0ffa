const never = () => {
  throw new Error('The schema of a form must not use allOf.');
};
const maker = () => ({
  compareSchemaDefinitions: never,
  compareSchemaValues: never,
  mergeArrayOfSchemaDefinitions: never,
});

/** Replaces `@x0k/json-schema-merge`, with which @rjsf/utils merges `allOf`: catalog schemas do not use it. */
export const createComparator = maker;
export const createMerger = maker;
export const createShallowAllOfMerge = () => never;
export const createDeduplicator = () => never;
export const createIntersector = () => never;
