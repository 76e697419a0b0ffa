import { randomInt } from 'node:crypto';
import { mostImagesOf } from '#lib/catalog/architecture';
import type { Architecture } from '#lib/catalog/catalog-file';
import { getArchitecture } from '#lib/catalog/catalog';
import { checkMediaRules, checkSourceSeconds, type MediaFacts } from '#lib/catalog/check-media-rules';
import { followSource } from '#lib/catalog/follow-source';
import { fieldWarnings } from '#lib/catalog/field-warnings';
import { outputOf } from '#lib/catalog/output-of';
import { countsSource, priceOf } from '#lib/catalog/price';
import { resolveConfig } from '#lib/catalog/resolve-config';
import type { StoredInput, StoredMention } from '#lib/db/schema';
import type { OutputSpec } from '#lib/output-spec';
import { requireValid, type Issue } from '#lib/errors';
import { collectMedia, mediaSlots, type MediaSlot } from '#lib/generations/collect-media';
import { lookAtMedia, unblamed, type MeasuredVideos } from '#lib/generations/measure-videos';
import { resolveMentions } from '#lib/generations/resolve-mentions';
import { requireAllowed, requireUnflagged } from '#lib/generations/screen';
import { pointer } from '#lib/issue';
import { isModerated } from '#lib/moderation/endpoint';
import { sum } from '#lib/sum';
import type { MediaInput } from '#lib/uploads/media-input';

/** A validated body: everything that determines the output and the price. */
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
  /** Files stored for this body, for `discardInputs` when the request is refused later. */
  files: MediaInput[];
}

export interface PrepareOptions {
  /** Aborted when the client disconnects. */
  signal?: AbortSignal | undefined;
  /** Issues outside of the body. */
  beside?: Issue[];
  /** Called with the price once it is known, and with whether expensive work follows. Throws to refuse the request. */
  admit: (gems: number, isDear: boolean) => Promise<unknown>;
}

/** A body as far as it can be validated without fetching media. */
interface ReadGeneration {
  architecture: Architecture;
  modelId: string;
  /** Resolved config, which is complete even when there are issues. */
  config: Record<string, unknown>;
  slots: MediaSlot[];
  /** Valid files of lists that were refused because of other files. */
  others: MediaSlot[];
  mentions: StoredMention[];
  /** Inputs that the mentions contribute. */
  mentioned: StoredInput[];
  /** All issues found so far. */
  issues: Issue[];
  warnings: Issue[];
}

/**
 * Validates a body, in the order: catalog, config, mentions, policy, media as far as they can be judged unopened,
 * price, admission, media. Throws `architecture_not_found`, `architecture_retired`, `invalid_config` with all issues
 * together, `content_blocked`, `content_restricted`, and what `admit` throws. Neither charges nor stores a request, but
 * stores its media.
 */
export async function prepareGeneration(
  accountId: string,
  architectureId: string,
  body: Record<string, unknown>,
  { signal, beside = [], admit }: PrepareOptions,
): Promise<PreparedGeneration> {
  const read = await readGeneration(accountId, architectureId, body);
  const { architecture, modelId, mentions } = read;
  const prompt = String(read.config.prompt);
  const issues = [...beside, ...read.issues];
  if (!issues.length) requireAllowed(prompt, architecture.id);
  const measured = await lookAtMedia(accountId, read, signal);
  requireValid([...issues, ...issuesSeen(read, measured)]);
  const gems = priceWith(read, measured);
  await admit(gems, read.slots.length > 0 || isModerated());
  await requireUnflagged(prompt);
  const media = await collectMedia(accountId, read.slots, measured.videos, { signal });
  const seed = typeof read.config.seed === 'number' ? read.config.seed : randomInt(2 ** 32);
  const config = { ...configWith(read, measured), ...media.fields, seed };
  return {
    architecture,
    modelId,
    prompt,
    seed,
    body: { ...ownFields(architecture, body), ...media.fields },
    config,
    output: outputOf(architecture, config),
    inputs: [...media.inputs, ...read.mentioned],
    mentions,
    gems,
    warnings: warningsWith(read, measured, body),
    files: media.files,
  };
}

/** Validates config, mentions and numbers of media, without fetching any. Throws only for the architecture itself. */
export async function readGeneration(
  accountId: string,
  architectureId: string,
  body: Record<string, unknown>,
): Promise<ReadGeneration> {
  const architecture = getArchitecture(architectureId);
  const { config, modelId, issues, warnings: unknown } = resolveConfig(architecture, body);
  const warnings = [...unknown, ...fieldWarnings(architecture, modelId, body)];
  const slots = mediaSlots(architecture, config);
  const own = slots.filter(({ role }) => role === 'reference').length;
  const most = mostImagesOf(architecture, modelId, sourceVideosIn({ slots }).length > 0);
  const { roles } = architecture;
  const blamed = new Set(issues.map(({ path }) => path.split('/')[1]));
  const refused = blamed.has(roles.reference) || blamed.has(roles.additional_references);
  const {
    mentions,
    inputs: mentioned,
    issues: unclear,
  } = await resolveMentions(accountId, architecture, config, { own, most, refused });
  const others = issues.length ? othersOf(architecture, body, config, issues) : [];
  const read = { architecture, modelId, config, slots, others, mentions, mentioned, warnings };
  // for an unknown variant, only that is reported: issues with the default used in its place would mislead
  const broken = checkMediaRules(architecture, config, factsOf(read)).filter(
    ({ path }) => path !== '/model_id' || !blamed.has('model_id'),
  );
  return { ...read, issues: [...issues, ...unclear, ...broken] };
}

function othersOf(
  architecture: Architecture,
  body: Record<string, unknown>,
  config: Record<string, unknown>,
  issues: readonly Issue[],
): MediaSlot[] {
  const lists = Object.entries(body).filter(([name, value]) => Array.isArray(value) && !Object.hasOwn(config, name));
  return unblamed(mediaSlots(architecture, Object.fromEntries(lists)), issues);
}

/** Returns the issues of the media, including the length of source videos. */
export const issuesSeen = (read: ReadGeneration, { videos, issues }: MeasuredVideos): Issue[] => [
  ...issues,
  ...checkSourceSeconds(
    read.architecture,
    read.config,
    sourceVideosIn(read).map(({ path }) => videos.get(path)?.duration ?? null),
  ),
];

export const priceWith = ({ architecture, config }: ReadGeneration, { videos }: MeasuredVideos): number =>
  priceOf(architecture, config, {
    sourceSeconds: sum([...videos.values()].map(({ duration }) => duration)),
  });

/** Whether the price depends on a source video whose length is not known. */
export const isUnmeasured = (read: ReadGeneration, { videos }: MeasuredVideos): boolean =>
  countsSource(read.architecture, read.modelId) && sourceVideosIn(read).some(({ path }) => !videos.has(path));

const sourceVideosIn = ({ slots }: Pick<ReadGeneration, 'slots'>) =>
  slots.filter(({ role }) => role === 'source_video');

/** Returns the final config, except for a random seed and the URLs of stored media. */
export const configWith = ({ architecture, config }: ReadGeneration, { videos }: MeasuredVideos) =>
  followSource(architecture, config, [...videos.values()][0]);

/** Returns the warnings, including those about fields of the body that the source video replaces. */
export function warningsWith(read: ReadGeneration, measured: MeasuredVideos, body: Record<string, unknown>): Issue[] {
  const config = configWith(read, measured);
  const replaced = Object.keys(body).filter(field => config[field] !== read.config[field]);
  const messageOf = (field: string) =>
    `${field} is ${String(config[field])} here: the output follows its source video.`;
  return [...read.warnings, ...replaced.map(field => ({ path: pointer(field), message: messageOf(field) }))];
}

/** Returns the members of a body that the architecture knows; the others were ignored, and are not stored. */
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
    mask: has('mask'),
    sourceVideos: sourceVideosIn({ slots }).length,
    handles: {
      images: handlesOf(images),
      sounds: handlesOf(sounds),
      voices: handlesOf(sounds.filter(({ role }) => role === 'voice')),
    },
  };
}
