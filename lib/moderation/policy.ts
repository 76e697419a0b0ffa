import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { errorsIn, issuesIn } from '#lib/documents/json-file';
import { reloading } from '#lib/documents/reloading';
import { env } from '#lib/env';
import { log } from '#lib/log';
import { normalise, ruleMatcher } from '#lib/moderation/rule-matcher';
import { singleton } from '#lib/singleton';

const terms = z.array(z.string().trim().min(1)).default([]);
const patterns = z.array(z.string().min(1).refine(isPattern, 'must be a regular expression')).default([]);

const Rule = z
  .strictObject({
    id: z.string().min(1).max(80),
    /** Purpose of the rule, for people who edit the file. */
    about: z.string().optional(),
    /** `service`: this deployment's own policy (403). `external`: an outside restriction, such as by law (451). */
    scope: z.enum(['service', 'external']),
    /** Whole words or phrases, also in their plural, possessive, -ed and -ing forms; any one of them matches. */
    terms,
    /** Regular expressions for the lower-case prompt, for what `terms` cannot express. */
    patterns,
    /** When these or `and_patterns` are given, one of them must also match near a match of the above. */
    and_terms: terms,
    and_patterns: patterns,
    /** Maximum number of words between the two matches. */
    within: z.int().min(0).default(8),
    /** Regular expressions for harmless phrases, such as "in A minor"; removed from the prompt before matching. */
    except: patterns,
    /** Architectures that the rule applies to; all of them by default. */
    architectures: z.array(z.string()).min(1).optional(),
  })
  .refine(rule => rule.terms.length + rule.patterns.length > 0, 'needs terms or patterns');

const PolicyFile = z.strictObject({ rules: z.array(Rule) });

interface PolicyMatch {
  scope: 'service' | 'external';
  /** Id of the rule. */
  rule: string;
}

/** Returns the rule that a prompt breaks for an architecture, or null. */
type Policy = (prompt: string, architectureId: string) => PolicyMatch | null;

/** Creates a policy from the JSON of a policy file. Throws a `ZodError` when the JSON does not match the schema. */
export function parsePolicy(json: unknown): Policy {
  const rules = PolicyFile.parse(json).rules.map(rule => ({ ...rule, matches: ruleMatcher(rule) }));
  return (prompt, architectureId) => {
    const text = normalise(prompt);
    const broken = rules.find(
      ({ architectures, matches }) => (!architectures || architectures.includes(architectureId)) && matches(text),
    );
    return broken ? { scope: broken.scope, rule: broken.id } : null;
  };
}

function isPattern(source: string): boolean {
  try {
    return Boolean(new RegExp(source, 'giu'));
  } catch {
    return false;
  }
}

function loadPolicy(path: string, previous: Policy | undefined): Policy {
  try {
    return parsePolicy(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    const issues = error instanceof z.ZodError ? issuesIn(error) : [{ path: '', message: (error as Error).message }];
    const faults = errorsIn(path, issues);
    for (const fault of faults) log().error(fault, 'policy file is invalid');
    // generating without the operator's rules would be worse than refusing to generate
    if (!previous)
      throw new Error(`${path} is not usable: ${faults[0]?.place} ${faults[0]?.message}`, { cause: error });
    return previous;
  }
}

/** Checks a prompt against `policy.json` of CATALOG_DIR, which is reloaded when the file changes. */
export const checkPolicy: Policy = (prompt, architectureId) => {
  const policy = singleton('policy', () => {
    const path = join(env().CATALOG_DIR, 'policy.json');
    return reloading<Policy>(
      () => [path],
      previous => loadPolicy(path, previous),
    );
  });
  return policy()(prompt, architectureId);
};
