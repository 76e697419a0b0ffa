import type { ProposalWire } from '#lib/contract/engine-schemas';

/** Describes in one line what a field for these values accepts. `schema` is the known schema of the field. */
export function ruleOf(proposals: readonly ProposalWire[], schema: Record<string, unknown>): string {
  const { name, value, binding } = proposals[0]!;
  const from = binding.set.from ?? '';
  if (name === 'prompt') return 'text, needed';
  if (name === 'seed') return 'a whole number, a random one unless given';
  if (from.startsWith('input.')) {
    const needed = binding.to.filter(({ optional }) => !optional).length;
    if (binding.to.length === 1 || !binding.set.list) return needed ? 'a file, needed' : 'a file, optional';
    return `up to ${binding.to.length} files, ${needed ? `${needed} needed` : 'all optional'}`;
  }
  if (from === 'output.fps') return `${shown(value)}, as in the workflow`;
  if (from.startsWith('output.'))
    return `${proposals.map(one => shown(one.value)).join(' × ')} in the workflow, by the tokens below`;
  const given = schema.default ?? value;
  if (Array.isArray(schema.enum)) return `one of ${schema.enum.length}, ${shown(given)} unless chosen`;
  if (typeof given === 'boolean') return `on or off, ${given ? 'on' : 'off'} unless chosen`;
  if (typeof given === 'string') return given ? `text, ${shown(given)} unless given` : 'text, empty unless given';
  const { minimum, maximum, multipleOf } = schema;
  const kind = multipleOf === 1 || schema.type === 'integer' ? 'a whole number' : 'a number';
  const least = typeof minimum !== 'number' ? '' : ` from ${shown(minimum)}`;
  const most = typeof maximum !== 'number' ? '' : ` up to ${shown(maximum)}`;
  return `${kind}${least}${most}, ${shown(given)} unless given`;
}

/** Formats a value of the workflow, shortened if long. */
export function shown(value: unknown): string {
  const text = String(value);
  if (text.length > 40) return `“${text.slice(0, 40)}…”`;
  return typeof value === 'string' ? `“${text}”` : text;
}
