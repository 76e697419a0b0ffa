import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { env } from '#lib/env';
import { StartError } from '#lib/start-error';

/**
 * Throws `StartError` when CATALOG_DIR is not a catalog. Without architectures nothing is offered and without a policy
 * nothing is generated, which would otherwise show only at the first request.
 */
export function requireCatalog(): void {
  const { CATALOG_DIR } = env();
  if (['architectures', 'policy.json'].every(name => existsSync(join(CATALOG_DIR, name)))) return;
  throw new StartError(`CATALOG_DIR must be a folder with architectures and policy.json in it; it is ${CATALOG_DIR}.`);
}
