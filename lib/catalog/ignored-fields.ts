import type { Architecture } from '#lib/catalog/catalog-file';
import { sourcesIn, unusedFields } from '#lib/catalog/read-workflow';
import { workflows } from '#lib/engines/comfyui/workflows';
import { engines } from '#lib/engines/engines';
import type { Parameters } from '#lib/engines/parameters';
import { servingOf } from '#lib/engines/serving';
import type { Issue } from '#lib/errors';
import { pointer } from '#lib/issue';

/** Members of a body that whatever makes it has no use for, with this variant. */
export function ignoredFields(architecture: Architecture, modelId: string, body: Record<string, unknown>): Issue[] {
  const serving = servingOf(architecture.id, modelId);
  const entry = engines().find(({ id }) => id === serving?.engine);
  if (!entry) return [];
  const parameters = entry.parametersOf?.({ architecture: architecture.id, modelId });
  const ignored = parameters
    ? [new Set(unusedFields(sourcesOf(parameters), architecture.fields))]
    : ignoredByWorkflows(architecture, modelId);
  const maker = parameters ? 'engine' : 'workflow';
  return Object.keys(body)
    .filter(field => field !== 'prompt' && ignored.length > 0 && ignored.every(unused => unused.has(field)))
    .map(field => ({
      path: pointer(field),
      message: `${field} does nothing here: the ${maker} that makes ${architecture.name} has no use for it.`,
    }));
}

function ignoredByWorkflows({ id, fields }: Architecture, modelId: string): Set<string>[] {
  const makers = workflows().list.filter(one => one.architecture === id && one.models.includes(modelId));
  return makers.map(({ ignores, bindings }) => {
    const bound = bindings.filter(({ models }) => !models || models.includes(modelId));
    return new Set([...ignores, ...unusedFields(sourcesIn(bound), fields)]);
  });
}

const sourcesOf = (parameters: Parameters[]): Set<string> =>
  new Set(parameters.flatMap(Object.values).flatMap(one => (one && 'from' in one ? one.from : [])));
