import { closest, distance } from 'fastest-levenshtein';
import { defaultsOf, tokensOf } from '#lib/catalog/architecture';
import type { Architecture } from '#lib/catalog/catalog-file';
import { checkField } from '#lib/catalog/check-field';
import { COMMON_FIELDS } from '#lib/catalog/common-fields';
import { unknownMembers } from '#lib/catalog/unknown-members';
import { oneOf } from '#lib/contract/words';
import type { Issue } from '#lib/errors';
import { isObject } from '#lib/is-object';
import { mustBe, pointer } from '#lib/issue';

interface ResolvedConfig {
  /** All fields except media that were not sent; `seed` is null when none was requested. Complete despite issues. */
  config: Record<string, unknown>;
  modelId: string;
  /** All problems of the body; empty when it can be generated. */
  issues: Issue[];
  /** Warnings for members that are not fields of the architecture. */
  warnings: Issue[];
}

/** Resolves a generate body: folds in defaults and reports all problems together. Never throws, whatever the JSON. */
export function resolveConfig(architecture: Architecture, body: unknown): ResolvedConfig {
  const { id, fields, model_ids, default_model_id } = architecture;
  if (!isObject(body)) {
    const issues = [mustBe('', 'a JSON object', body)];
    return { config: defaultsOf(architecture, default_model_id), modelId: default_model_id, issues, warnings: [] };
  }
  const sent = (name: string) => (Object.hasOwn(body, name) ? body[name] : undefined);
  const known = model_ids.find(id => id === (sent('model_id') ?? default_model_id));
  const modelId = known ?? default_model_id;
  const config: Record<string, unknown> = {};
  const issues: Issue[] = [];

  const defaults = defaultsOf(architecture, modelId);
  for (const [name, field] of Object.entries(fields)) {
    if (field.nullable) config[name] = null;
    if (Object.hasOwn(defaults, name)) config[name] = defaults[name];
    const value = sent(name);
    if (value === undefined && name !== 'prompt') continue;
    // an unknown variant is a single issue, so tokens are then checked against the whole field
    const tokens = known ? tokensOf(architecture, name, modelId) : field.enum;
    const narrowed = known ? narrowedAway(architecture, name, known, value) : null;
    const faults = narrowed ?? checkField(name, field, value, tokens);
    if (!faults.length) config[name] = value;
    issues.push(...faults);
  }
  const warnings = unknownMembers(body, fields, `field of ${id}`, start => meantBy(start.toLowerCase(), id, fields));
  return { config, modelId, issues, warnings };
}

/** Refuses a token that only other variants accept, and names these. Returns null for every other value. */
function narrowedAway(architecture: Architecture, name: string, modelId: string, value: unknown): Issue[] | null {
  const takers = architecture.model_ids.filter(id => tokensOf(architecture, name, id)?.some(token => token === value));
  const tokens = tokensOf(architecture, name, modelId);
  if (!tokens || !takers.length || takers.includes(modelId)) return null;
  const hint = `, which ${takers.join(', ')} ${takers.length === 1 ? 'takes' : 'take'}`;
  return [mustBe(pointer(name), `${oneOf(tokens)} with model_id ${modelId}`, value, { hint })];
}

/** Maximum edit distance of a likely misspelling. */
const NEAR = 2;

/**
 * Returns advice for an unknown member. If it resembles a common media field, names the field that takes such media
 * here; otherwise the field of which it is a misspelling, else a part.
 */
function meantBy(member: string, id: string, fields: Architecture['fields']): string {
  const common = closest(member, Object.keys(COMMON_FIELDS));
  const media = distance(member, common) <= NEAR ? COMMON_FIELDS[common]?.media : undefined;
  const names = Object.keys(fields).filter(name => !media || fields[name]?.media === media);
  if (!names.length) return `${id} takes no ${media}s`;
  const nearest = closest(member, names);
  const alike = names.find(name => member.length >= 3 && (name.includes(member) || member.includes(name)));
  return `the nearest field is ${distance(member, nearest) <= NEAR ? nearest : (alike ?? nearest)}`;
}
