import { checkField } from '#lib/catalog/check-field';
import type { Recipe } from '#lib/catalog/recipe-file';
import { unknownMembers } from '#lib/catalog/unknown-members';
import type { Issue } from '#lib/errors';
import { mustBe, pointer } from '#lib/issue';
import { slotsOf, type MediaSlot } from '#lib/generations/collect-media';

interface ReadInputs {
  /** What was sent of what the recipe asks for, as far as it is right. */
  inputs: Record<string, unknown>;
  /** Everything that is wrong with it. */
  issues: Issue[];
  /** Members that the recipe does not ask for; they are ignored. */
  warnings: Issue[];
}

/** Reads the body of a run as far as it can be read without fetching anything. */
export function readInputs({ id, inputs: asked, required }: Recipe, body: Record<string, unknown>): ReadInputs {
  const inputs: Record<string, unknown> = {};
  const issues: Issue[] = [];
  for (const [key, input] of Object.entries(asked)) {
    const value = Object.hasOwn(body, key) ? body[key] : undefined;
    const isMissing = value === undefined || (required.includes(key) && Array.isArray(value) && value.length === 0);
    if (isMissing && required.includes(key)) issues.push(...missing(key, input, value));
    if (value === undefined) continue;
    const faults = checkField(key, input, value);
    issues.push(...faults);
    // an estimate counts with it beside issues: what is refused has no bounds
    if (!faults.length) inputs[key] = value;
  }
  const advice = `it has ${Object.keys(asked).join(', ')}`;
  const warnings = unknownMembers(body, asked, `input of ${id}`, () => advice);
  return { inputs, issues, warnings };
}

/** What is said where nothing was sent of what a run cannot do without. */
const missing = (key: string, input: Recipe['inputs'][string], value: unknown): Issue[] =>
  value === undefined ? checkField(key, input, value) : [mustBe(pointer(key), 'a list with at least one entry', value)];

/** The files that the inputs bring. */
export const mediaOf = ({ inputs: asked }: Recipe, inputs: Record<string, unknown>): MediaSlot[] =>
  Object.entries(inputs).flatMap(([field, value]) => {
    const kind = asked[field]?.media;
    // the role is the affair of the step that uses it
    return kind ? slotsOf({ field, role: 'reference', kind }, value) : [];
  });
