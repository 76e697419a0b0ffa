import { catalogFile, type Architecture } from '#lib/catalog/catalog-file';
import { checkArchitecture } from '#lib/catalog/check-architecture';
import type { Issue } from '#lib/errors';
import { pointer } from '#lib/issue';

export type CheckedFile = { architecture: Architecture; issues: [] } | { architecture: null; issues: Issue[] };

/** Reads the JSON of one catalog file: the architecture, or everything that is wrong with it, by JSON pointer. */
export function readCatalogFile(json: unknown): CheckedFile {
  const parsed = catalogFile.safeParse(json);
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) => ({ path: pointer(...path), message }));
    return { architecture: null, issues };
  }
  const issues = checkArchitecture(parsed.data);
  return issues.length ? { architecture: null, issues } : { architecture: parsed.data, issues: [] };
}
