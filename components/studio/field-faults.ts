import type { Issue } from '#lib/errors';

/** An Ajv error, as a compiled validator reports it for a config. */
interface Fault {
  keyword: string;
  instancePath: string;
  params: { limit?: number; multipleOf?: number; missingProperty?: string; additionalProperty?: string };
  message?: string;
}

const WORDS: Record<string, (params: Fault['params']) => string> = {
  required: () => 'Fill this in',
  minLength: () => 'Fill this in',
  maxLength: ({ limit = 0 }) => `At most ${limit} characters`,
  minimum: ({ limit = 0 }) => `At least ${limit}`,
  maximum: ({ limit = 0 }) => `At most ${limit}`,
  multipleOf: ({ multipleOf = 1 }) => `In steps of ${multipleOf}`,
  enum: () => 'Choose one of those offered',
  maxItems: ({ limit = 0 }) => `At most ${limit}`,
  pattern: () => 'This cannot be used here',
};

/** Returns one sentence for each faulty field; the prompt has its own. */
export function faultsByField(faults: readonly Fault[]): Map<string, string> {
  const told = new Map<string, string>();
  for (const { keyword, instancePath, params, message } of faults) {
    const name = nameIn(instancePath) ?? params.missingProperty ?? params.additionalProperty ?? '';
    const words = WORDS[keyword]?.(params) ?? message ?? 'This cannot be used';
    if (!told.has(name)) told.set(name, name === 'prompt' && keyword !== 'maxLength' ? 'Say what to make' : words);
  }
  return told;
}

/** Groups the server's issues by field; an issue inside a field (an item of a list) is shown at the field. */
export function issuesByField(issues: readonly Issue[]): Map<string, string[]> {
  const told = new Map<string, string[]>();
  for (const { path, message } of issues) {
    const name = nameIn(path);
    if (name) told.set(name, [...(told.get(name) ?? []), message]);
  }
  return told;
}

const nameIn = (pointer: string): string | undefined =>
  pointer.split('/')[1]?.replaceAll('~1', '/').replaceAll('~0', '~');
