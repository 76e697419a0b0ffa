import { checkFiles, fieldsOf, mediaOf, underName, type ImportFiles } from '#lib/catalog/import/build-files';
import type { ArchitectureFile, ImportChoices, WorkflowFile } from '#lib/catalog/import/import-choices';
import type { Proposal } from '#lib/catalog/import/import-workflow';

/** Exposes further values of a graph under the chosen names. Without proposals, only checks the files. */
export function addFields(
  files: { architecture: ArchitectureFile; workflow: WorkflowFile },
  proposals: readonly Proposal[] = [],
  chosen: NonNullable<ImportChoices['fields']>,
): ImportFiles {
  const more = proposals.flatMap(proposal => {
    const choice = chosen[proposal.name];
    return choice ? [underName(proposal, choice)] : [];
  });
  const given = { ...files, issues: checkFiles(files.architecture, files.workflow, true) };
  if (more.length === 0 || given.issues.architecture.length + given.issues.workflow.length > 0) return given;
  const media = mediaOf(more);
  const architecture: ArchitectureFile = {
    ...files.architecture,
    ...media,
    ...(media.mentions && { mentions: { ...files.architecture.mentions, ...media.mentions } }),
    ...(media.needs && { needs: { ...files.architecture.needs, ...media.needs } }),
    fields: { ...files.architecture.fields, ...fieldsOf(more) },
  };
  const ignores = files.workflow.ignores?.filter(name => !more.some(one => one.name === name));
  const workflow: WorkflowFile = {
    ...files.workflow,
    bindings: [...files.workflow.bindings, ...more.map(({ binding }) => binding)],
    ...(ignores && { ignores }),
  };
  return { architecture, workflow, issues: checkFiles(architecture, workflow, true) };
}
