import { addFields } from '#lib/catalog/import/add-fields';
import { buildFiles, type ImportFiles } from '#lib/catalog/import/build-files';
import type { ArchitectureFile, ImportChoices, WorkflowFile } from '#lib/catalog/import/import-choices';
import type { WorkflowImport } from '#lib/catalog/import/import-workflow';
import { priceOf } from '#lib/catalog/price';
import { readCatalogFile } from '#lib/catalog/read-catalog-file';
import { resolveConfig } from '#lib/catalog/resolve-config';
import { toInputSchema } from '#lib/catalog/to-entry';
import type { BuiltWorkflowWire, WorkflowDraftWire } from '#lib/contract/engine-schemas';
import { findSaved } from '#lib/operator/workflows';

/** Builds the two files of a workflow from the operator's choices, with their remaining issues. Saves nothing. */
export function buildWorkflow({ found, choices, files, add }: WorkflowDraftWire): BuiltWorkflowWire {
  const read = found as unknown as WorkflowImport | undefined;
  if (choices) return toBuilt(buildFiles(read!, choices as ImportChoices));
  const given = files as { architecture: unknown; workflow: unknown };
  const [architecture, workflow] = [given.architecture as ArchitectureFile, given.workflow as WorkflowFile];
  return toBuilt(addFields({ architecture, workflow }, read?.proposals, add));
}

/** Adds to built files what the page shows of them. */
export function toBuilt({ architecture, workflow, issues }: ImportFiles): BuiltWorkflowWire {
  const read = readCatalogFile(architecture).architecture;
  return {
    architecture,
    workflow,
    issues,
    fields: read ? toInputSchema(read.name, read.fields).properties : {},
    gems: read && priceOf(read, resolveConfig(read, {}).config),
    replaces: findSaved(architecture.id, architecture.id),
  };
}
