import { closest } from 'fastest-levenshtein';
import { defaultsOf, tokensOf } from '#lib/catalog/architecture';
import type { Architecture, Token } from '#lib/catalog/architecture';
import { checkField, pointer, shown, textFault } from '#lib/catalog/check-field';
import type { Issue } from '#lib/errors';

/** A hostile body can carry a million unknown members. */
const MOST_WARNINGS = 20;

export interface ResolvedConfig {
  /** Every field but media that were not sent; `seed` is null when none was asked for. Complete even beside issues. */
  config: Record<string, unknown>;
  modelId: string;
  /** Everything that is wrong with the body; empty when it can be generated. */
  issues: Issue[];
  /** Members that no field of the architecture takes. */
  warnings: Issue[];
}

/** Reads a generate body: defaults folded in, every problem named at once. Never throws, whatever the JSON. */
export function resolveConfig(architecture: Architecture, body: unknown): ResolvedConfig {
  const { fields, defaultModelId } = architecture;
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  const sent = new Map<string, unknown>(isObject ? Object.entries(body) : []);
  const issues: Issue[] = [];
  if (!isObject) issues.push({ path: '', message: `the body must be a JSON object; it is ${shown(body)}` });

  const asked = sent.get('model_id') ?? defaultModelId;
  const known = architecture.modelIds.find(id => id === asked);
  const modelId = known ?? defaultModelId;
  const config: Record<string, unknown> = {};
  const defaults = defaultsOf(architecture, modelId);
  for (const [name, field] of Object.entries(fields)) {
    if (field.nullable) config[name] = null;
    if (name in defaults) config[name] = defaults[name];
    const value = sent.get(name);
    if (value === undefined) continue;
    // an unknown variant is one problem: the tokens are then held against all that the field has
    const faults = checkField(name, field, value, known ? tokensOf(architecture, name, modelId) : field.enum);
    if (!faults.length) config[name] = value;
    const narrowed = name !== 'model_id' && field.enum?.includes(value as Token);
    issues.push(
      ...(narrowed ? faults.map(fault => ({ ...fault, message: `${fault.message} with ${modelId}` })) : faults),
    );
  }
  if (isObject && sent.get('prompt') === undefined) {
    issues.unshift({ path: '/prompt', message: 'prompt is required: say what to make' });
  }
  const { unknown, faults } = unknownMembers(architecture, sent);
  return { config, modelId, issues: [...issues, ...faults], warnings: unknown };
}

function unknownMembers({ id, fields }: Architecture, sent: Map<string, unknown>) {
  const names = Object.keys(fields);
  const unknown: Issue[] = [];
  const faults: Issue[] = [];
  for (const member of sent.keys()) {
    if (Object.hasOwn(fields, member)) continue;
    const fault = textFault(member);
    const path = pointer(member.slice(0, 200).toWellFormed());
    const shortened = shown(member);
    if (fault && faults.length < MOST_WARNINGS) faults.push({ path, message: `the member name ${shortened} ${fault}` });
    else if (unknown.length < MOST_WARNINGS) {
      const nearest = closest(member.slice(0, 60).toLowerCase(), names);
      unknown.push({
        path,
        message: `${shortened} is no field of ${id} and was ignored; the nearest field is ${nearest}`,
      });
    }
    if (unknown.length === MOST_WARNINGS && faults.length === MOST_WARNINGS) break;
  }
  return { unknown, faults };
}
