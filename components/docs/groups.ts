import type { OperationDoc } from '#components/docs/read-openapi';

export interface DocsGroup {
  title: string;
  operations: OperationDoc[];
}

/** What stands after `/v1/`, and what the group of those operations is called; whatever else comes stands under its own word. */
const TITLES: Record<string, string> = {
  '{architecture}': 'Generate',
  architectures: 'Models',
  requests: 'Requests',
  uploads: 'Uploads',
  characters: 'Characters',
  references: 'References',
  account: 'Account',
};
const ORDER = Object.keys(TITLES);

/** The operations in groups; those of one architecture have pages of their own. */
export function groupOperations(operations: readonly OperationDoc[]): DocsGroup[] {
  const groups = new Map<string, OperationDoc[]>();
  for (const operation of operations) {
    if (operation.id.startsWith('generate_')) continue;
    const word = operation.path.split('/')[2] ?? '';
    groups.set(word, [...(groups.get(word) ?? []), operation]);
  }
  const place = (word: string) => (ORDER.includes(word) ? ORDER.indexOf(word) : ORDER.length);
  return [...groups]
    .toSorted(([a], [b]) => place(a) - place(b))
    .map(([word, members]) => ({ title: TITLES[word] ?? word, operations: members }));
}
