import { fileCatalog } from '#lib/catalog/catalog';
import { readNamedFile } from '#lib/catalog/read-catalog-file';
import { readWorkflow } from '#lib/catalog/read-workflow';
import { parseFile } from '#lib/documents/json-file';
import { ENGINES_DOCUMENT } from '#lib/engines/engines';
import { readEnginesFile } from '#lib/engines/engines-file';
import type { Issue } from '#lib/errors';

/** Returns the problems of a document of this deployment, in one line; null when it is valid. */
export function checkDocument(path: string, text: string): string | null {
  const issues = issuesOf(path, text);
  return issues.length ? issues.map(issue => `${issue.path || 'the file'}: ${issue.message}`).join('; ') : null;
}

function issuesOf(path: string, text: string): Issue[] {
  if (path === ENGINES_DOCUMENT) return readEnginesFile(text).issues;
  const [, kind] = /^catalog\/(architectures|workflows)\/[^/]+\.json$/.exec(path) ?? [];
  if (kind === 'architectures') return readNamedFile(path, () => text).issues;
  if (kind !== 'workflows') return [{ path: '', message: 'is in none of the folders architectures and workflows' }];
  const { json, issues } = parseFile(() => text);
  return issues.length ? issues : readWorkflow(json, fileCatalog().find).issues;
}
