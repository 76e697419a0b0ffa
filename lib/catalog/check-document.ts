import { readCatalogFile } from '#lib/catalog/read-catalog-file';
import { fileCatalog } from '#lib/catalog/catalog';
import { readWorkflow } from '#lib/catalog/read-workflow';
import { ENGINES_DOCUMENT } from '#lib/engines/engines';
import { readEnginesFile } from '#lib/engines/engines-file';
import type { Issue } from '#lib/errors';

/** What is wrong with a document of this deployment, in a line; null when it may be used. */
export function checkDocument(path: string, text: string): string | null {
  const issues = issuesOf(path, text);
  return issues.length ? issues.map(issue => `${issue.path || 'the file'}: ${issue.message}`).join('; ') : null;
}

function issuesOf(path: string, text: string): Issue[] {
  if (path === ENGINES_DOCUMENT) return readEnginesFile(text).issues;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return [{ path: '', message: `cannot be read as JSON: ${(error as Error).message}` }];
  }
  const [, kind, name] = /^catalog\/(architectures|workflows)\/([^/]+)\.json$/.exec(path) ?? [];
  if (kind === 'architectures') {
    const { architecture, issues } = readCatalogFile(json);
    const misnamed = architecture && architecture.id !== name;
    return misnamed ? [{ path: '/id', message: `must be ${name}, as the file is called` }] : issues;
  }
  if (kind !== 'workflows') return [{ path: '', message: 'is in none of the folders architectures and workflows' }];
  return readWorkflow(json, fileCatalog().find).issues;
}
