import { mostImagesOf } from '#lib/catalog/architecture';
import type { Architecture } from '#lib/catalog/catalog-file';
import { exceedsTotal, sourceSecondsOf, takesSeconds } from '#lib/catalog/source-seconds';
import type { ExclusiveRole, NeededMedia } from '#lib/contract/catalog-entry';
import { many } from '#lib/contract/words';
import type { Issue } from '#lib/errors';
import { pointer } from '#lib/issue';
import { sum } from '#lib/sum';

/** Media of a request, known once its fields and mentions are resolved. */
export interface MediaFacts {
  /** Number of reference images of fields and mentions together. */
  images: number;
  /** Number of audio clips: mentioned audio references, and voices of mentioned characters that are sent along. */
  audioReferences: number;
  firstFrame: boolean;
  lastFrame: boolean;
  mask?: boolean;
  sourceVideos: number;
  /** Handles whose mentions bring some of these, to be named in refusals; `voices` are sounds too. */
  handles?: { images: string[]; sounds: string[]; voices: string[] };
}

/** Returns the issues of a request with the media rules of its architecture. */
export const checkMediaRules = (
  architecture: Architecture,
  config: Readonly<Record<string, unknown>>,
  facts: MediaFacts,
): Issue[] => [
  ...countIssues(architecture, config, facts),
  ...neededIssues(architecture, facts),
  ...exclusiveIssues(architecture, facts),
  ...sourceVideoIssues(architecture, config, facts),
];

/** Returns the path of the field at fault, or of the prompt for media that only mentions can bring. */
const at = (field: string | undefined): string => pointer(field ?? 'prompt');

const listed = (handles: string[]) => [...new Set(handles)].map(handle => `@${handle}`).join(', ');

const named = (handles: string[] = []) => (handles.length ? `, with ${listed(handles)}` : '');

function countIssues(
  architecture: Architecture,
  config: Readonly<Record<string, unknown>>,
  facts: MediaFacts,
): Issue[] {
  const { roles, mentions } = architecture;
  const modelId = String(config.model_id);
  const most = mostImagesOf(architecture, modelId, facts.sourceVideos > 0);
  const issues: Issue[] = [];
  if (facts.images > most) {
    const why = most < mostImagesOf(architecture, modelId, false) ? 'With a source video ' : '';
    issues.push({
      path: at(fullField(architecture, facts)),
      message: `${why}${modelId} takes at most ${many(most, 'reference image')}, mentions included; this request has ${facts.images}${named(facts.handles?.images)}.`,
    });
  }
  if (facts.audioReferences > mentions.max_audio_references) {
    const clips = many(mentions.max_audio_references, 'mentioned audio clip');
    const brought = facts.handles?.voices.length && roles.character_voices;
    const advice = brought ? `; to leave the voices of characters out, set ${brought} to false` : '';
    issues.push({
      path: '/prompt',
      message: `${modelId} takes at most ${clips}; this request has ${facts.audioReferences}${named(facts.handles?.sounds)}${advice}.`,
    });
  }
  return issues;
}

/** Returns issues for media that the architecture requires. */
function neededIssues({ needs, name, roles }: Architecture, facts: MediaFacts): Issue[] {
  const brought: Record<keyof NeededMedia, number> = {
    first_frame: Number(facts.firstFrame),
    last_frame: Number(facts.lastFrame),
    reference: facts.images,
    mask: Number(facts.mask ?? false),
    audio_reference: facts.audioReferences,
    source_video: facts.sourceVideos,
  };
  return Object.entries(needs).flatMap(([key, least]) => {
    const role = key as keyof NeededMedia;
    if (brought[role] >= least) return [];
    const field = role === 'audio_reference' ? undefined : roles[role];
    const how = field
      ? `send an https URL, an upload URL or a data URL in ${field}`
      : 'mention a saved audio reference in the prompt, as @handle';
    return [{ path: at(field), message: `${name} needs ${neededWords(role, least)}: ${how}.` }];
  });
}

/** Returns required media as a phrase: `a mask`, `2 reference images`. */
export const neededWords = (role: keyof NeededMedia, least: number): string =>
  least === 1 ? NEEDED_NAMES[role] : `${least} ${NEEDED_NAMES[role].replace(/^an? /, '')}s`;

/** Returns the field that brought media of a role; undefined when mentions brought all of them. */
function fieldOf({ roles }: Architecture, role: ExclusiveRole, { images, handles }: MediaFacts): string | undefined {
  if (role === 'audio_reference') return undefined;
  return role === 'reference' && images <= (handles?.images.length ?? 0) ? undefined : roles[role];
}

/** Returns the field from which an image should be removed. */
const fullField = (architecture: Architecture, facts: MediaFacts) =>
  fieldOf(architecture, 'reference', facts) &&
  (architecture.roles.additional_references ?? architecture.roles.reference);

const NEEDED_NAMES: Record<keyof NeededMedia, string> = {
  first_frame: 'a first frame',
  last_frame: 'a last frame',
  reference: 'a reference image',
  mask: 'a mask',
  audio_reference: 'an audio reference',
  source_video: 'a source video',
};

const GROUP_NAMES: Record<ExclusiveRole, string> = {
  first_frame: 'a first frame',
  last_frame: 'a last frame',
  reference: 'reference images',
  audio_reference: 'mentioned audio clips and voices',
};

/** Returns the groups of media that exclude each other, as a phrase that follows "takes". */
export const exclusiveWords = (exclusive: ExclusiveRole[][]): string =>
  `either ${exclusive.map(group => group.map(role => GROUP_NAMES[role]).join(' and ')).join(', or ')}, never both in one request`;

function exclusiveIssues(architecture: Architecture, facts: MediaFacts): Issue[] {
  const { exclusive, name } = architecture;
  const present: Record<ExclusiveRole, boolean> = {
    first_frame: facts.firstFrame,
    last_frame: facts.lastFrame,
    reference: facts.images > 0,
    audio_reference: facts.audioReferences > 0,
  };
  const used = exclusive.filter(group => group.some(role => present[role]));
  if (used.length < 2) return [];
  const inConflict = used.flat().filter(role => present[role]);
  const mentioned = [
    ...(inConflict.includes('reference') ? (facts.handles?.images ?? []) : []),
    ...(inConflict.includes('audio_reference') ? (facts.handles?.sounds ?? []) : []),
  ];
  const said = mentioned.length ? `; the prompt mentions ${listed(mentioned)}` : '';
  const blamed = used.at(-1)?.find(role => present[role]);
  const path = at(blamed && fieldOf(architecture, blamed, facts));
  return [{ path, message: `${name} takes ${exclusiveWords(exclusive)}${said}.` }];
}

function sourceVideoIssues(
  architecture: Architecture,
  config: Readonly<Record<string, unknown>>,
  facts: MediaFacts,
): Issue[] {
  const { source_video: rule, roles, fields } = architecture;
  if (!facts.sourceVideos || !rule) return [];
  const modelId = String(config.model_id);
  const issues: Issue[] = [];
  const most = fields[roles.source_video ?? '']?.maxItems ?? 1;
  if (facts.sourceVideos > most) {
    const message = `${modelId} takes at most ${many(most, 'source video')}; this request has ${facts.sourceVideos}.`;
    issues.push({ path: at(roles.source_video), message });
  }
  if (rule.models && !rule.models.includes(modelId)) {
    const message = `A source video needs model_id ${rule.models.join(' or ')}; it is ${modelId}.`;
    issues.push({ path: '/model_id', message });
  }
  return issues;
}

/** Returns issues with the lengths of source videos, given in order; null for lengths not known yet. */
export function checkSourceSeconds(
  { source_video: rule, roles, fields }: Architecture,
  config: Readonly<Record<string, unknown>>,
  lengths: readonly (number | null)[],
): Issue[] {
  if (!rule) return [];
  const modelId = String(config.model_id);
  const [shortest, longest] = sourceSecondsOf(rule, modelId);
  const field = roles.source_video ?? '';
  const issues: Issue[] = [];
  for (const [index, seconds] of lengths.entries()) {
    if (seconds === null || takesSeconds(rule, modelId, seconds)) continue;
    const path = fields[field]?.type === 'array' ? pointer(field, index) : pointer(field);
    const message = `A source video for ${modelId} must be ${shortest} to ${longest} s long; this one is ${rounded(seconds)} s.`;
    issues.push({ path, message });
  }
  const total = sum(lengths.map(seconds => seconds ?? 0)) + Number(config[roles.duration ?? '']);
  if (exceedsTotal(rule, total)) {
    const message = `The seconds of the source video and duration together must be at most ${rule.max_total_seconds}; they are ${rounded(total)}.`;
    issues.push({ path: at(roles.duration), message });
  }
  return issues;
}

const rounded = (seconds: number) => Number(seconds.toFixed(2));
