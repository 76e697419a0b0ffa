import { findMentionable, type Mentionable } from '#lib/cast/find-mentionable';
import { meaningOf, ownImageNumber, parseMentions } from '#lib/cast/parse-mentions';
import { takesAnyMention, takesMentions, type MentionKind } from '#lib/catalog/architecture';
import type { Architecture } from '#lib/catalog/catalog-file';
import type { StoredInput, StoredMention } from '#lib/db/schema';
import type { Issue } from '#lib/errors';

/** The mentions of a prompt as resolved now, with the media that they contribute. */
interface ResolvedMentions {
  mentions: StoredMention[];
  inputs: StoredInput[];
  issues: Issue[];
}

/** Maximum number of different handles: more than any variant takes images and sounds. */
export const MOST_HANDLES = 100;
/** Maximum number of mentions, including repeated ones, because parsing each has a cost. */
const MOST_MENTIONS = 1_000;

/** Room for reference images: number in the fields of the request (`own`), and maximum in total (`most`). */
interface ImageRoom {
  own: number;
  most: number;
  /** Whether a field with reference images was refused, so that `own` is incomplete. */
  refused: boolean;
}

/** Resolves mentions in the prompt to characters and references of the account, and to public characters of others. */
export async function resolveMentions(
  accountId: string,
  architecture: Architecture,
  config: Config,
  images: ImageRoom,
): Promise<ResolvedMentions> {
  const written = parseMentions(String(config.prompt ?? ''), MOST_MENTIONS + 1);
  const resolved: ResolvedMentions = { mentions: [], inputs: [], issues: [] };
  const refuse = (message: string) => resolved.issues.push({ path: '/prompt', message });
  if (written.length > MOST_MENTIONS) {
    refuse(`A prompt may have at most ${MOST_MENTIONS} mentions; this one has more.`);
    return resolved;
  }
  const longest = new Set(written.map(({ names }) => names[0]));
  if (longest.size > MOST_HANDLES) {
    refuse(`A prompt may mention at most ${MOST_HANDLES} handles; this one mentions ${longest.size}.`);
    return resolved;
  }
  const found = await findMentionable(accountId, [...new Set(written.flatMap(({ names }) => names))]);
  const isKnown = (name: string) => found.has(name);
  // an unknown handle is reported without the punctuation at its end
  const meant = written.map(mention => meaningOf(mention, isKnown) ?? mention.names.at(-1)!);
  const uses: Use[] = [];
  for (const handle of new Set(meant)) {
    const entity = found.get(handle);
    const use = entity ? useOf(entity, architecture, config) : useOfNothing(handle, architecture, config, images);
    if (typeof use === 'string') refuse(`@${handle} ${use}.`);
    else if (entity) uses.push({ entity, inputs: use });
  }
  addSpares(uses, images);
  for (const { entity, inputs } of uses) {
    const { handle, id, kind } = entity;
    resolved.inputs.push(...inputs.map(input => ({ ...input, handle })));
    resolved.mentions.push({ handle, id, kind, mediaIds: inputs.flatMap(({ mediaId }) => mediaId ?? []) });
  }
  return resolved;
}

interface Use {
  entity: Mentionable;
  /** Inputs that the mention contributes; an image, if any, is the first. */
  inputs: StoredInput[];
}

/** Fills the remaining room with further images of mentioned characters: the second of each, then the third, etc. */
function addSpares(uses: Use[], { own, most }: ImageRoom): void {
  const pictured = uses.filter(({ inputs }) => inputs[0]?.role === 'reference');
  let room = most - own - pictured.length;
  const longest = Math.max(0, ...pictured.map(({ entity }) => entity.imageIds.length));
  for (let turn = 1; turn < longest; turn++) {
    for (const { entity, inputs } of pictured) {
      const mediaId = entity.imageIds[turn];
      if (mediaId === undefined || room <= 0) continue;
      room--;
      inputs.splice(turn, 0, { role: 'reference', mediaId, spare: true });
    }
  }
}

type Config = Readonly<Record<string, unknown>>;

/** Resolves a handle without an entity: `@image1` refers to an image of the request itself; others return a refusal. */
function useOfNothing(
  handle: string,
  architecture: Architecture,
  { model_id }: Config,
  { own, refused }: ImageRoom,
): [] | string {
  const number = ownImageNumber(handle);
  if (number !== null && number >= 1 && (refused || number <= own)) return [];
  if (number !== null) {
    const { reference, additional_references, first_frame, last_frame } = architecture.roles;
    const fields = [reference, additional_references].filter(field => field !== undefined).join(' and ');
    const frames = first_frame || last_frame ? '; frames do not count' : '';
    return fields
      ? `means reference image ${number} of this request, which has ${own}, counted from @image1 on in ${fields}${frames}`
      : `means a reference image, and ${String(model_id)} takes none${frames}`;
  }
  if (!takesAnyMention(architecture, String(model_id)))
    return `mentions nothing: ${String(model_id)} takes no mentions; leave it out, or write \\@ for a plain @`;
  return 'is neither a character or reference of yours nor a public character: create it, correct the handle, or write \\@ for a plain @';
}

/** Returns the inputs that a mention contributes to this variant, or the reason why it is refused. */
function useOf(
  { kind, imageIds, soundId }: Mentionable,
  architecture: Architecture,
  config: Config,
): StoredInput[] | string {
  const modelId = String(config.model_id);
  const takes = (wanted: MentionKind) => takesMentions(architecture, wanted, modelId);
  const image: StoredInput[] = imageIds.slice(0, 1).map(mediaId => ({ role: 'reference', mediaId }));
  if (kind === 'audio') {
    return soundId && takes('audio_references')
      ? [{ role: 'audio_reference', mediaId: soundId }]
      : `is an audio reference, which ${modelId} does not take`;
  }
  if (kind !== 'character') return takes('references') ? image : `is a reference, which ${modelId} does not take`;

  const { mentions, roles } = architecture;
  const speaks = mentions.character_voices && config[roles.character_voices ?? ''] !== false;
  const voice: StoredInput[] = soundId && speaks ? [{ role: 'voice', mediaId: soundId }] : [];
  if (takes('characters')) return [...image, ...voice];
  if (!mentions.character_voices) return `is a character, which ${modelId} does not take`;
  return voice.length ? voice : `is a character without a voice, and ${modelId} takes only voices of characters`;
}
