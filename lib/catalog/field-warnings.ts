import type { Architecture } from '#lib/catalog/catalog-file';
import { sourcesIn, unusedFields } from '#lib/catalog/read-workflow';
import { workflows } from '#lib/engines/comfyui/workflows';
import { engines } from '#lib/engines/engines';
import type { FilledParameter } from '#lib/engines/parameters';
import { servingOf } from '#lib/engines/serving';
import type { Issue } from '#lib/errors';
import { pointer } from '#lib/issue';

/** A workflow or a remote model's entry, by its use of a variant's fields. */
interface Maker {
  unused: ReadonlySet<string>;
  parameters: FilledParameter[];
  /** Whether guidance is the `cfg` of a sampler, which ignores the negative prompt at values up to 1. */
  hasCfg?: boolean;
}

/** Returns warnings for body members that the engine of this variant ignores or changes. */
export function fieldWarnings(architecture: Architecture, modelId: string, body: Record<string, unknown>): Issue[] {
  const { id, name, fields } = architecture;
  const serving = servingOf(id, modelId);
  const entry = engines().find(one => one.id === serving?.engine);
  if (!entry) return [];
  const parameters = entry.parametersOf?.({ architecture: id, modelId });
  const makers = parameters ? [remoteMaker(parameters, fields)] : workflowMakers(architecture, modelId);
  const maker = `the ${parameters ? 'engine' : 'workflow'} that makes ${name}`;
  if (makers.length === 0) return [];
  const warningOf = (field: string): string | undefined => {
    if (makers.every(({ unused }) => unused.has(field)))
      return `${field} does nothing here: ${maker} has no use for it.`;
    if (field === 'negative_prompt' && body[field] && makers.every(({ hasCfg }) => hasCfg)) {
      const guidance = Number(body.guidance_scale ?? fields.guidance_scale?.default);
      return guidance <= 1
        ? `${field} does nothing with a guidance_scale of ${guidance}: send one above 1.`
        : undefined;
    }
    // a client that sends the default value did not mean to change anything
    if (body[field] === fields[field]?.default) return undefined;
    const [bound, ...others] = makers.map(one => boundOf(one, field, body[field]));
    if (bound === undefined || others.includes(undefined)) return undefined;
    return `${field} is ${bound} here: ${maker} takes no ${bound > Number(body[field]) ? 'less' : 'more'}.`;
  };
  return Object.keys(body).flatMap(field => {
    const message = field === 'prompt' ? undefined : warningOf(field);
    return message ? [{ path: pointer(field), message }] : [];
  });
}

function remoteMaker(sent: Record<string, FilledParameter | null>[], fields: Architecture['fields']): Maker {
  const parameters = sent.flatMap(Object.values).filter(one => one !== null);
  const sources = new Set(parameters.flatMap(one => ('from' in one ? one.from : [])));
  return { unused: new Set(unusedFields(sources, fields)), parameters };
}

function workflowMakers({ id, fields }: Architecture, modelId: string): Maker[] {
  const makers = workflows().list.filter(one => one.architecture === id && one.models.includes(modelId));
  return makers.map(({ ignores, bindings }) => {
    const bound = bindings.filter(({ models }) => !models || models.includes(modelId));
    const isCfg = ({ set, to }: (typeof bound)[0]) =>
      'from' in set && set.from === 'config.guidance_scale' && to.some(({ input }) => input === 'cfg');
    return {
      unused: new Set([...ignores, ...unusedFields(sourcesIn(bound), fields)]),
      parameters: bound.map(({ set }) => set),
      hasCfg: bound.some(isCfg),
    };
  });
}

/** Returns the value to which a number is clamped by the bounds of its target; undefined when it is within them. */
function boundOf({ parameters }: Maker, field: string, value: unknown): number | undefined {
  if (typeof value !== 'number') return undefined;
  const bounds = parameters.flatMap(one => {
    if (!('from' in one) || one.from !== `config.${field}`) return [];
    const { min = -Infinity, max = Infinity } = one;
    return value < min ? min : value > max ? max : [];
  });
  return bounds[0];
}
