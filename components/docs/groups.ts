import type { OperationDoc } from '#components/docs/read-openapi';

export interface DocsGroup {
  title: string;
  operations: OperationDoc[];
}

/** The operations by their tags, in the order of the document; those of one architecture have pages of their own. */
export function groupOperations(operations: readonly OperationDoc[]): DocsGroup[] {
  const shared = operations.filter(({ id }) => !id.startsWith('generate_'));
  return [...Map.groupBy(shared, ({ tag }) => tag)].map(([title, members]) => ({ title, operations: members }));
}
