import type { Architecture } from '#lib/catalog/catalog-file';
import type { ArchitectureFile, FieldChoice, ImportChoices, WorkflowFile } from '#lib/catalog/import/import-choices';
import { readCatalogFile } from '#lib/catalog/read-catalog-file';
import type { Proposal, WorkflowImport } from '#lib/catalog/import/import-workflow';
import { shapeOf } from '#lib/catalog/import/shape-of';
import { readWorkflow } from '#lib/catalog/read-workflow';
import type { Binding } from '#lib/engines/comfyui/workflow';
import type { Issue } from '#lib/errors';

export interface ImportFiles {
  architecture: ArchitectureFile;
  workflow: WorkflowFile;
  /** Problems of the files, by JSON pointer; none when the catalog can load them. */
  issues: { architecture: Issue[]; workflow: Issue[] };
}

const GEMS = { image: 10, video: 50, audio: 10 };

/** Returns the architecture and workflow files of an import with the operator's choices. */
export function buildFiles(found: WorkflowImport, choices: ImportChoices): ImportFiles {
  const { id, name } = choices;
  const output = found.outputs[choices.output ?? 0];
  const type = output?.type ?? 'image';
  const chosen = chosenOf(found, choices);
  const shape = shapeOf(found, type, new Set(chosen.map(({ name }) => name)), choices);
  const fields = { ...fieldsOf(chosen), ...shape.fields };
  const architecture: ArchitectureFile = {
    id,
    name,
    type,
    description: choices.description ?? `${name}, made by a workflow.`,
    state: 'live',
    model_ids: [id],
    default_model_id: id,
    fields,
    ...mediaOf(chosen),
    ...(shape.output && { output: shape.output }),
    price: choices.price
      ? fitPrice(choices.price, fields)
      : { gems: GEMS[type], ...(shape.seconds && { seconds: shape.seconds }) },
  };
  const unused = ['prompt', 'seed'].filter(name => !chosen.some(one => one.name === name));
  const workflow: WorkflowFile = {
    architecture: id,
    models: [id],
    graph: found.graph,
    bindings: chosen.map(({ binding }) => binding),
    ...(output && { output: output.place }),
    ignores: [...unused, ...shape.ignores],
  };
  return { architecture, workflow, issues: checkFiles(architecture, workflow, output !== undefined) };
}

/**
 * Completes a price: a factor for every token, 1 where none is given and always for the default. Removes the dependence
 * on seconds when there is only one length.
 */
function fitPrice(price: ArchitectureFile['price'], fields: ArchitectureFile['fields']): ArchitectureFile['price'] {
  const factors = Object.entries(price.factors ?? {}).flatMap(([name, given]) => {
    const { enum: tokens = [], default: usual } = fields[name] ?? {};
    // a factor that the operator cleared is null, which validation reports
    const all = tokens.map(token => [token, token === usual || given[token] === undefined ? 1 : given[token]] as const);
    return all.some(([, factor]) => factor !== 1) ? [[name, Object.fromEntries(all)] as const] : [];
  });
  const { factors: _, seconds, ...rest } = price;
  const length = seconds && fields[seconds.field];
  return {
    ...rest,
    ...(factors.length > 0 && { factors: Object.fromEntries(factors) }),
    ...(seconds && (length?.enum?.length ?? 0) > 1 && { seconds: { ...seconds, base: Number(length!.default) } }),
  };
}

/** Returns the problems of an architecture and its workflow. */
export function checkFiles(
  architecture: ArchitectureFile,
  workflow: WorkflowFile,
  hasOutput: boolean,
): ImportFiles['issues'] {
  const checked = readCatalogFile(architecture);
  const find = (id: string): Architecture | null => (checked.architecture?.id === id ? checked.architecture : null);
  const { issues } = checked.architecture ? readWorkflow(workflow, find) : { issues: [] };
  const nothing = {
    path: '/graph',
    message: 'has no node that saves an image, a video (an animated GIF, PNG or WebP is none) or audio',
  };
  return { architecture: checked.issues, workflow: hasOutput ? issues : [...issues, nothing] };
}

/** Returns the exposed proposals, under the operator's names. */
function chosenOf({ proposals }: WorkflowImport, { fields = {} }: ImportChoices): Proposal[] {
  return proposals.flatMap(proposal => {
    const choice = fields[proposal.name];
    if (choice === false || (choice === undefined && !proposal.on)) return [];
    return [choice ? underName(proposal, choice) : proposal];
  });
}

/** Returns a proposal with the operator's name and limits. */
export function underName(proposal: Proposal, choice: FieldChoice): Proposal {
  if (!proposal.field) return proposal;
  const name = choice.name ?? proposal.name;
  const { set } = proposal.binding;
  const binding = { ...proposal.binding, set: { ...set, from: `config.${name}` } };
  const members = Object.entries({ ...proposal.field, ...choice.field }).filter(([, value]) => value !== null);
  return { ...proposal, name, binding, field: Object.fromEntries(members) };
}

/** Returns the minimum number of files of each kind without which the workflow cannot run. */
export function neededBy(bindings: readonly Binding[]): NonNullable<ArchitectureFile['needs']> {
  const needs = bindings.flatMap(({ set, to }) => {
    const role = 'from' in set && /^input\.(\w+)$/.exec(set.from)?.[1];
    const places = to.filter(({ optional }) => !optional).length;
    if (!role || places === 0) return [];
    return [[role, 'list' in set && set.list ? places : 1] as const];
  });
  return Object.fromEntries(needs);
}

/** Returns the fields of proposals, as an architecture file has them. */
export const fieldsOf = (chosen: readonly Proposal[]): ArchitectureFile['fields'] =>
  Object.fromEntries([
    ...chosen.flatMap(({ name, field }) => (field ? [[name, field] as const] : [])),
    ...chosen.flatMap(mediaFields).map(name => [name, {}] as const),
  ]);

/** Returns the members of an architecture file about the media that proposals take. */
export function mediaOf(
  chosen: readonly Proposal[],
): Pick<ArchitectureFile, 'max_images' | 'mentions' | 'needs' | 'source_video'> {
  const one = (name: string) => chosen.find(proposal => proposal.name === name);
  const needs = neededBy(chosen.map(({ binding }) => binding));
  return {
    ...(one('image') && { max_images: one('image')!.binding.to.length }),
    ...(one('audio') && { mentions: { audio_references: 'all', max_audio_references: 1 } }),
    ...(Object.keys(needs).length > 0 && { needs }),
    ...(one('video') && { source_video: { seconds: [1, 60] } }),
  };
}

/** Returns the common fields that bring the files of a proposal. */
function mediaFields({ name, binding }: Proposal): string[] {
  if (!('from' in binding.set) || !binding.set.from.startsWith('input.') || name === 'audio') return [];
  return name === 'image' && binding.to.length > 1 ? ['image', 'additional_images'] : [name];
}
