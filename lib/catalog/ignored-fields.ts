import type { Architecture } from '#lib/catalog/catalog-file';
import { unusedFields } from '#lib/catalog/read-workflow';
import { workflows } from '#lib/engines/comfyui/workflows';
import { engines } from '#lib/engines/engines';
import { servingOf } from '#lib/engines/serving';
import type { Issue } from '#lib/errors';
import { pointer } from '#lib/issue';

/** Members of a body that the workflow which makes it has no use for, with this variant. */
export function ignoredFields(
  { id, name, fields }: Architecture,
  modelId: string,
  body: Record<string, unknown>,
): Issue[] {
  const serving = servingOf(id, modelId);
  if (engines().find(entry => entry.id === serving?.engine)?.type !== 'comfyui') return [];
  const makers = workflows().list.filter(one => one.architecture === id && one.models.includes(modelId));
  const ignored = makers.map(({ ignores, bindings }) => {
    const bound = bindings.filter(({ models }) => !models || models.includes(modelId));
    return new Set([...ignores, ...unusedFields(bound, fields)]);
  });
  return Object.keys(body)
    .filter(field => field !== 'prompt' && ignored.length > 0 && ignored.every(unused => unused.has(field)))
    .map(field => ({
      path: pointer(field),
      message: `${field} does nothing here: the workflow that makes ${name} has no use for it.`,
    }));
}
