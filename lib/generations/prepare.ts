import { randomInt } from 'node:crypto';
import type { Architecture } from '#lib/catalog/architecture';
import { getArchitecture } from '#lib/catalog/catalog';
import { outputOf } from '#lib/catalog/output-of';
import { priceOf } from '#lib/catalog/price';
import { resolveConfig } from '#lib/catalog/resolve-config';
import type { StoredInput, StoredMention } from '#lib/db/schema';
import type { OutputSpec } from '#lib/engines/engine';
import { AppError, type Issue } from '#lib/errors';
import { checkPolicy } from '#lib/moderation/policy';

/** A body understood: everything that decides what is made and what it costs. */
export interface PreparedGeneration {
  architecture: Architecture;
  modelId: string;
  prompt: string;
  seed: number;
  body: Record<string, unknown>;
  config: Record<string, unknown>;
  output: OutputSpec;
  inputs: StoredInput[];
  mentions: StoredMention[];
  gems: number;
  warnings: Issue[];
}

/**
 * Catalog → config → media → policy → price. Throws `architecture_not_found`, `architecture_retired`, `invalid_config` with
 * every problem at once, `content_blocked`, `content_restricted`. Charges and stores no request.
 */
export async function prepareGeneration(
  architectureId: string,
  body: Record<string, unknown>,
): Promise<PreparedGeneration> {
  const architecture = getArchitecture(architectureId);
  const { config, modelId, issues, warnings } = resolveConfig(architecture, body);
  if (issues.length) throw invalidConfig(issues);
  const prompt = String(config.prompt);
  requireAllowed(prompt, architecture.id);
  const seed = typeof config.seed === 'number' ? config.seed : randomInt(2 ** 32);
  return {
    architecture,
    modelId,
    prompt,
    seed,
    body,
    config: { ...config, seed },
    output: outputOf(architecture, config),
    inputs: [],
    mentions: [],
    gems: priceOf(architecture, config),
    warnings,
  };
}

const invalidConfig = (issues: Issue[]) =>
  new AppError('invalid_config', `The config is not valid: ${issues.map(issue => issue.message).join('; ')}.`, {
    issues,
  });

function requireAllowed(prompt: string, architectureId: string): void {
  const hit = checkPolicy(prompt, architectureId);
  if (hit?.scope === 'service')
    throw new AppError(
      'content_blocked',
      'The content policy does not allow this prompt. Nothing was charged; rephrase it.',
    );
  if (hit)
    throw new AppError('content_restricted', 'A legal restriction does not allow this prompt. Nothing was charged.');
}
