import type { Architecture } from '#lib/catalog/catalog-file';
import { workflows } from '#lib/engines/comfyui/workflows';
import { engines } from '#lib/engines/engines';
import { servingOf } from '#lib/engines/serving';
import type { Issue } from '#lib/errors';
import { pointer } from '#lib/issue';

/** Members of a body that the workflow which makes it has no use for. */
export function ignoredFields({ id, name }: Architecture, modelId: string, body: Record<string, unknown>): Issue[] {
  const serving = servingOf(id, modelId);
  if (engines().find(entry => entry.id === serving?.engine)?.type !== 'comfyui') return [];
  const [first, ...others] = workflows().list.filter(one => one.architecture === id && one.models.includes(modelId));
  const ignored = first?.ignores.filter(field => others.every(({ ignores }) => ignores.includes(field))) ?? [];
  return ignored
    .filter(field => field !== 'prompt' && Object.hasOwn(body, field))
    .map(field => ({
      path: pointer(field),
      message: `${field} does nothing here: the workflow that makes ${name} has no use for it.`,
    }));
}
