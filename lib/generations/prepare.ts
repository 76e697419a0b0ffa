import { randomInt } from 'node:crypto';
import type { Architecture } from '#lib/catalog/catalog-file';
import { getArchitecture } from '#lib/catalog/catalog';
import { checkMediaRules, type MediaFacts } from '#lib/catalog/check-media-rules';
import { outputOf } from '#lib/catalog/output-of';
import { priceOf } from '#lib/catalog/price';
import { resolveConfig } from '#lib/catalog/resolve-config';
import type { StoredInput, StoredMention } from '#lib/db/schema';
import type { OutputSpec } from '#lib/engines/engine';
import { invalid, type Issue } from '#lib/errors';
import { collectMedia, mediaSlots, type CollectedMedia, type MediaSlot } from '#lib/generations/collect-media';
import { resolveMentions } from '#lib/generations/resolve-mentions';
import { requireAllowed, requireUnflagged } from '#lib/generations/screen';

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

/** A body as far as it can be read without fetching anything. */
export interface ReadGeneration {
  architecture: Architecture;
  modelId: string;
  /** Complete even beside issues. */
  config: Record<string, unknown>;
  slots: MediaSlot[];
  mentions: StoredMention[];
  /** What the mentions bring. */
  mentioned: StoredInput[];
  /** Everything that is wrong with it so far. */
  issues: Issue[];
  warnings: Issue[];
}

/**
 * Catalog → config → mentions → policy → media → price. Throws `architecture_not_found`, `architecture_retired`,
 * `invalid_config` with every problem at once, `content_blocked`, `content_restricted`. Charges and stores no request.
 */
export async function prepareGeneration(
  accountId: string,
  architectureId: string,
  body: Record<string, unknown>,
): Promise<PreparedGeneration> {
  const read = await readGeneration(accountId, architectureId, body);
  requireValid(read.issues);
  const { architecture, modelId, mentions, warnings } = read;
  const prompt = String(read.config.prompt);
  requireAllowed(prompt, architecture.id);
  await requireUnflagged(prompt);
  const media = await collectMedia(accountId, read.slots);
  requireValid([...media.issues, ...sourceVideoIssues(read, media)]);
  const seed = typeof read.config.seed === 'number' ? read.config.seed : randomInt(2 ** 32);
  const config = { ...read.config, ...media.fields, seed };
  return {
    architecture,
    modelId,
    prompt,
    seed,
    body: { ...ownFields(architecture, body), ...media.fields },
    config,
    output: outputOf(architecture, config, { ...(media.sourceVideos[0] && { sourceVideo: media.sourceVideos[0] }) }),
    inputs: [...media.inputs, ...read.mentioned],
    mentions,
    gems: priceWith(read, media),
    warnings,
  };
}

/** Reads config, mentions and the counts of media; fetches nothing. Throws only for the architecture itself. */
export async function readGeneration(
  accountId: string,
  architectureId: string,
  body: Record<string, unknown>,
): Promise<ReadGeneration> {
  const architecture = getArchitecture(architectureId);
  const { config, modelId, issues, warnings } = resolveConfig(architecture, body);
  const slots = mediaSlots(architecture, config);
  const ownImages = slots.filter(({ role }) => role === 'reference').length;
  const {
    mentions,
    inputs: mentioned,
    issues: unclear,
  } = await resolveMentions(accountId, architecture, config, ownImages);
  const read = { architecture, modelId, config, slots, mentions, mentioned, warnings };
  return { ...read, issues: [...issues, ...unclear, ...checkMediaRules(architecture, config, factsOf(read))] };
}

/** What is wrong with the source videos, now that their length is known; all else was looked at before they were fetched. */
export const sourceVideoIssues = (read: ReadGeneration, { sourceVideos }: CollectedMedia): Issue[] =>
  checkMediaRules(read.architecture, read.config, { ...factsOf(read), sourceVideos });

export const priceWith = ({ architecture, config }: ReadGeneration, { sourceVideos }: CollectedMedia): number =>
  priceOf(architecture, config, { sourceSeconds: sourceVideos.reduce((sum, { duration }) => sum + duration, 0) });

/** Members that the architecture does not know were ignored, and are not kept either. */
const ownFields = ({ fields }: Architecture, body: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => Object.hasOwn(fields, name)));

function factsOf({ slots, mentioned }: Pick<ReadGeneration, 'slots' | 'mentioned'>): MediaFacts {
  const has = (role: StoredInput['role']) => slots.some(slot => slot.role === role);
  const images = mentioned.filter(({ role }) => role === 'reference');
  const sounds = mentioned.filter(({ role }) => role !== 'reference');
  const handlesOf = (inputs: StoredInput[]) => inputs.flatMap(({ handle }) => handle ?? []);
  return {
    images: slots.filter(({ role }) => role === 'reference').length + images.length,
    audioReferences: sounds.length,
    firstFrame: has('first_frame'),
    lastFrame: has('last_frame'),
    sourceVideos: [],
    handles: {
      images: handlesOf(images),
      sounds: handlesOf(sounds),
      voices: handlesOf(sounds.filter(({ role }) => role === 'voice')),
    },
  };
}

function requireValid(issues: Issue[]): void {
  if (!issues.length) return;
  throw invalid('invalid_config', issues);
}
