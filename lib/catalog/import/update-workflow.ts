import { checkFiles, neededBy, type ImportFiles } from '#lib/catalog/import/build-files';
import type { ArchitectureFile, WorkflowFile } from '#lib/catalog/import/import-choices';
import { consumersOf, findNode, titleOf } from '#lib/engines/comfyui/find-node';
import type { Proposal, WorkflowImport } from '#lib/catalog/import/import-workflow';
import { isLink } from '#lib/catalog/import/literals';
import { readCatalogFile } from '#lib/catalog/read-catalog-file';
import { sourcesIn, unusedFields } from '#lib/catalog/read-workflow';
import type { Binding, Graph, InputPlace } from '#lib/engines/comfyui/workflow';

/** Change of a binding in a new version of its graph. */
interface Change {
  /** Source of the binding: `prompt`, `seed`, `config.style`, … */
  from: string;
  /**
   * `kept`: bound to the same place. `more`: also to new places of the same meaning. `moved`: only to new places.
   * `gone`: to none, so it has no effect any more. `value`: kept, but the graph has another value there; the default
   * does not change.
   */
  what: 'kept' | 'more' | 'moved' | 'gone' | 'value';
  was?: unknown;
  now?: unknown;
}

interface WorkflowUpdate extends ImportFiles {
  changes: Change[];
  /** Values of the new graph that are not bound. */
  added: Proposal[];
  missing: WorkflowImport['missing'];
}

/**
 * Replaces the graph of an existing architecture with a new version. Fields, titles, limits and prices stay, and so do
 * their bindings where the nodes are found again. `others` are further workflows of the architecture.
 */
export function updateWorkflow(
  architecture: ArchitectureFile,
  previous: WorkflowFile,
  found: WorkflowImport,
  others: readonly Pick<WorkflowFile, 'bindings'>[] = [],
): WorkflowUpdate {
  const { graph, proposals, outputs, missing } = found;
  const { bindings, changes } = rebind(previous, found);
  const output =
    previous.output && findNode(graph, previous.output).id === undefined ? outputs[0]?.place : previous.output;
  const { output: _, ...rest } = previous;
  const workflow: WorkflowFile = {
    ...rest,
    graph,
    bindings,
    ...(output && { output }),
    ignores: [
      ...(previous.ignores ?? []),
      ...unusedFields(sourcesIn(bindings), readCatalogFile(architecture).architecture?.fields ?? {}).filter(
        name => !previous.ignores?.includes(name),
      ),
    ],
  };
  const kept = withoutMedia(
    withImages(architecture, mostImages([previous, ...others]), mostImages([{ bindings }, ...others])),
    changes.flatMap(({ from, what }) => (what === 'gone' ? from : [])),
    neededBy(bindings),
  );
  const bound = new Set(bindings.flatMap(({ to }) => to.map(place => keyOf(graph, place))));
  const added = proposals.filter(({ binding }) => !binding.to.some(place => bound.has(keyOf(graph, place))));
  const issues = checkFiles(kept, workflow, outputs.length > 0);
  return { architecture: kept, workflow, issues, changes, added, missing };
}

/** Rebinds the previous bindings wherever their nodes are found again, and returns the changes. */
function rebind(previous: WorkflowFile, { graph, proposals }: WorkflowImport) {
  const changes: Change[] = [];
  const sure = new Set(
    previous.bindings.flatMap(({ to }) => to.filter(place => isExact(graph, place)).map(place => keyOf(graph, place))),
  );
  const taken = new Map<string, Binding[]>();
  const isTaken = (key: string, { models }: Binding) =>
    taken.get(key)?.some(other => !models || !other.models || models.some(id => other.models!.includes(id)));
  // a place that is found only by its class must not take the place of another binding
  const isFound = (place: InputPlace, binding: Binding) =>
    valueAt(graph, place) !== undefined &&
    (isExact(graph, place) || !sure.has(keyOf(graph, place))) &&
    !isTaken(keyOf(graph, place), binding);
  const resolve = (binding: Binding): Binding[] => {
    const from = 'from' in binding.set ? binding.set.from : `value of ${binding.to[0]!.class}`;
    const found = binding.to.filter(place => isFound(place, binding));
    const kept = new Map(found.map(place => [keyOf(graph, place), place]));
    const same = proposals.find(one => 'from' in one.binding.set && one.binding.set.from === from);
    const before = new Set(binding.to.map(place => keyOf(previous.graph, place)));
    // sources that every architecture has are bound to new places too, or the author's literal would stay there; fields
    // are named after their nodes, and places that were left unbound before stay unbound
    const isNew = (place: InputPlace) =>
      !same!.field &&
      !sure.has(keyOf(graph, place)) &&
      (!isExact(previous.graph, place) || before.has(keyOf(previous.graph, place)));
    const more = (same?.binding.to ?? []).filter(place => {
      const key = keyOf(graph, place);
      return !kept.has(key) && !isTaken(key, binding) && (kept.size === 0 || isNew(place));
    });
    const to = [...kept.values(), ...more].toSorted((a, b) => Number(a.optional ?? 0) - Number(b.optional ?? 0));
    const [was, now] = [valueAt(previous.graph, binding.to[0]!), to[0] && valueAt(graph, to[0])];
    changes.push(...changesOf({ from, was, now }, { kept: kept.size, more: more.length }));
    for (const place of to) taken.set(keyOf(graph, place), [...(taken.get(keyOf(graph, place)) ?? []), binding]);
    // with several files, each place gets one
    const set = same && more.length && from.startsWith('input.') ? same.binding.set : binding.set;
    return to.length ? [{ ...binding, to, set }] : [];
  };
  // when two bindings meet at one place, the prompt wins
  const isPrompt = ({ set }: Binding) => 'from' in set && set.from === 'prompt';
  const promptsFirst = previous.bindings.toSorted((a, b) => Number(isPrompt(b)) - Number(isPrompt(a)));
  const resolved = new Map(promptsFirst.map(binding => [binding, resolve(binding)]));
  const bindings = previous.bindings.flatMap(binding => resolved.get(binding)!);
  return { bindings, changes };
}

/** Returns the changes of a binding, by the number of places that it kept and gained. */
function changesOf({ from, was, now }: Omit<Change, 'what'>, { kept, more }: { kept: number; more: number }): Change[] {
  if (!kept) return [more ? { from, what: 'moved', was, now } : { from, what: 'gone', was }];
  const grown: Change[] = more ? [{ from, what: 'more' }] : [];
  if (was !== now) return [...grown, { from, what: 'value', was, now }];
  return more ? grown : [{ from, what: 'kept' }];
}

/** Members of an architecture file about media, by source of the binding. */
const MEDIA: Record<string, { fields: string[]; rule?: 'max_images' | 'source_video' | 'mentions' }> = {
  'input.first_frame': { fields: ['first_image'] },
  'input.last_frame': { fields: ['last_image'] },
  'input.reference': { fields: ['image', 'additional_images'], rule: 'max_images' },
  'input.mask': { fields: ['mask'] },
  'input.source_video': { fields: ['video', 'videos'], rule: 'source_video' },
  'input.audio_reference': { fields: [], rule: 'mentions' },
};

/** Returns the largest number of reference images that one of the workflows takes; 0 when none takes any. */
const mostImages = (workflows: readonly Pick<WorkflowFile, 'bindings'>[]): number =>
  Math.max(
    0,
    ...workflows
      .flatMap(({ bindings }) => bindings)
      .flatMap(({ set, to }) => ('from' in set && set.from === 'input.reference' ? [set.list ? to.length : 1] : [])),
  );

/** Adjusts the image limit to the number of places; a lower limit set by the operator stays. */
function withImages(architecture: ArchitectureFile, before: number, now: number): ArchitectureFile {
  // without any place, `withoutMedia` removes the field and its limit
  if (before === now || now === 0) return architecture;
  const { max_images = 0, fields } = architecture;
  const most = max_images === before ? now : Math.min(max_images, now);
  const { additional_images = {}, ...others } = fields;
  return { ...architecture, max_images: most, fields: most > 1 ? { ...others, additional_images } : others };
}

/** Removes audio references from mentions and keeps the rest; undefined when nothing is left. */
function withoutAudio(mentions: ArchitectureFile['mentions'] = {}) {
  const others = { ...mentions };
  delete others.audio_references;
  delete others.max_audio_references;
  return Object.keys(others).length ? others : undefined;
}

/** Removes media that are no longer bound, and lowers requirements that the new graph no longer has. */
function withoutMedia(
  { needs = {}, ...architecture }: ArchitectureFile,
  gone: readonly string[],
  now: ReturnType<typeof neededBy>,
): ArchitectureFile {
  const left: ArchitectureFile = { ...architecture, fields: { ...architecture.fields } };
  for (const from of gone) {
    const { fields = [], rule } = MEDIA[from] ?? {};
    for (const name of fields) delete left.fields[name];
    if (rule === 'mentions') left.mentions = withoutAudio(left.mentions);
    else if (rule) delete left[rule];
    if (rule && left[rule] === undefined) delete left[rule];
  }
  const asked = Object.entries(needs).flatMap(([role, least]) => {
    const most = now[role as keyof typeof now];
    return most === undefined ? [] : [[role, Math.min(least, most)] as const];
  });
  return asked.length ? { ...left, needs: Object.fromEntries(asked) } : left;
}

const keyOf = (graph: Graph, place: InputPlace) => `${findNode(graph, place).id} ${place.input}`;

/** Whether title and consumers of a place match, not only its class. */
function isExact(graph: Graph, place: InputPlace): boolean {
  const { id } = findNode(graph, place);
  if (id === undefined) return false;
  const isTitled = place.title === undefined || titleOf(graph[id]!) === place.title;
  return isTitled && (place.feeds === undefined || consumersOf(graph, id).includes(place.feeds));
}

/** Returns the literal value of an input; undefined where there is none. */
function valueAt(graph: Graph, place: InputPlace): unknown {
  const { id } = findNode(graph, place);
  const value = id === undefined ? undefined : graph[id]!.inputs[place.input];
  return isLink(graph, value) ? undefined : value;
}
