import { checkField } from '#lib/catalog/check-field';
import type { Recipe } from '#lib/catalog/recipe-file';
import { unknownMembers } from '#lib/catalog/unknown-members';
import type { Issue } from '#lib/errors';
import { mustBe, pointer } from '#lib/issue';
import { slotsOf, type MediaSlot } from '#lib/generations/collect-media';

interface ReadInputs {
  /** Valid inputs that were sent. */
  inputs: Record<string, unknown>;
  /** Everything that is wrong with the body. */
  issues: Issue[];
  /** Unknown members, which are ignored. */
  warnings: Issue[];
}

/** Validates the body of a run without fetching files. */
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
    // an invalid value is left out, because an estimate prices the inputs despite issues and the value may be unbounded
    if (!faults.length) inputs[key] = value;
  }
  const advice = `it has ${Object.keys(asked).join(', ')}`;
  const warnings = unknownMembers(body, asked, `input of ${id}`, () => advice);
  return { inputs, issues, warnings };
}

/** Returns the issues for a required input that is missing or empty. */
const missing = (key: string, input: Recipe['inputs'][string], value: unknown): Issue[] =>
  value === undefined ? checkField(key, input, value) : [mustBe(pointer(key), 'a list with at least one entry', value)];

/** Returns the files in the inputs. */
export const mediaOf = ({ inputs: asked }: Recipe, inputs: Record<string, unknown>): MediaSlot[] =>
  Object.entries(inputs).flatMap(([field, value]) => {
    const kind = asked[field]?.media;
    // any role will do here: the step that uses the file determines its role
    return kind ? slotsOf({ field, role: 'reference', kind }, value) : [];
  });
