import { catalogFile, type Architecture } from '#lib/catalog/catalog-file';
import { checkArchitecture } from '#lib/catalog/check-architecture';
import { checkName, issuesIn, parseFile } from '#lib/documents/json-file';
import type { Issue } from '#lib/errors';

type CheckedFile = { architecture: Architecture; issues: [] } | { architecture: null; issues: Issue[] };

/** Reads the JSON of a catalog file. Returns the architecture, or all its issues by JSON pointer. */
export function readCatalogFile(json: unknown): CheckedFile {
  const parsed = catalogFile.safeParse(json);
  if (!parsed.success) return { architecture: null, issues: issuesIn(parsed.error) };
  const issues = checkArchitecture(parsed.data);
  return issues.length ? { architecture: null, issues } : { architecture: parsed.data, issues: [] };
}

/** Reads the text of a catalog file, whose name must match its id. */
export function readNamedFile(path: string, read: () => string): CheckedFile {
  const { json, issues } = parseFile(read);
  if (issues.length) return { architecture: null, issues };
  const checked = readCatalogFile(json);
  const misnamed = checked.architecture ? checkName(path, checked.architecture.id) : [];
  return misnamed.length ? { architecture: null, issues: misnamed } : checked;
}
