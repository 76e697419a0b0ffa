import { closest } from 'fastest-levenshtein';
import { defaultsOf, tokensOf } from '#lib/catalog/architecture';
import type { Architecture, Token } from '#lib/catalog/architecture';
import { checkField, pointer, shown, textFault } from '#lib/catalog/check-field';
import type { Issue } from '#lib/errors';

/** Unknown members that are named; a hostile body can carry a million. */
const MOST_UNKNOWN = 20;

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
  const { fields, modelIds, defaultModelId } = architecture;
  if (!isObject(body)) {
    const issue = { path: '', message: `the body must be a JSON object; it is ${shown(body)}` };
    return { config: defaultsOf(architecture, defaultModelId), modelId: defaultModelId, issues: [issue], warnings: [] };
  }
  const sent = (name: string) => (Object.hasOwn(body, name) ? body[name] : undefined);
  const asked = sent('model_id') ?? defaultModelId;
  const known = modelIds.find(id => id === asked);
  const modelId = known ?? defaultModelId;
  const config: Record<string, unknown> = {};
  const issues: Issue[] = [];
  if (sent('prompt') === undefined) issues.push({ path: '/prompt', message: 'prompt is required: say what to make' });

  const defaults = defaultsOf(architecture, modelId);
  for (const [name, field] of Object.entries(fields)) {
    if (field.nullable) config[name] = null;
    if (Object.hasOwn(defaults, name)) config[name] = defaults[name];
    const value = sent(name);
    if (value === undefined) continue;
    // an unknown variant is one problem: the tokens are then held against all that the field has
    const faults = checkField(name, field, value, known ? tokensOf(architecture, name, modelId) : field.enum);
    if (!faults.length) config[name] = value;
    const isNarrowed = name !== 'model_id' && field.enum?.includes(value as Token);
    for (const { path, message } of faults) {
      issues.push({ path, message: isNarrowed ? `with model_id ${modelId}, ${message}` : message });
    }
  }
  const unknown = unknownMembers(architecture, body);
  return { config, modelId, issues: [...issues, ...unknown.faults], warnings: unknown.warnings };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function unknownMembers({ id, fields }: Architecture, body: Record<string, unknown>) {
  const names = Object.keys(fields);
  const warnings: Issue[] = [];
  const faults: Issue[] = [];
  for (const member of Object.keys(body)) {
    if (Object.hasOwn(fields, member)) continue;
    if (warnings.length + faults.length === MOST_UNKNOWN) break;
    const path = pointer(member.slice(0, 60).toWellFormed());
    const fault = textFault(member);
    if (fault) faults.push({ path, message: `the member name ${shown(member)} ${fault}` });
    else {
      const nearest = closest(member.slice(0, 60).toLowerCase(), names);
      const message = `${shown(member)} is no field of ${id} and was ignored; the nearest field is ${nearest}`;
      warnings.push({ path, message });
    }
  }
  return { warnings, faults };
}
