import { findMentionable, type Mentionable } from '#lib/cast/find-mentionable';
import { parseMentions } from '#lib/cast/parse-mentions';
import { takesMentions, type MentionKind } from '#lib/catalog/architecture';
import type { Architecture } from '#lib/catalog/catalog-file';
import type { StoredInput, StoredMention } from '#lib/db/schema';
import type { Issue } from '#lib/errors';

/** What the mentions of a prompt meant at this moment, and the media that they bring. */
export interface ResolvedMentions {
  mentions: StoredMention[];
  inputs: StoredInput[];
  issues: Issue[];
}

/** More handles than any variant takes images and sounds. */
const MOST_HANDLES = 100;

/** Decisions 24 and 25. `ownImages` is how many images the fields of the request hold. */
export async function resolveMentions(
  accountId: string,
  architecture: Architecture,
  config: Readonly<Record<string, unknown>>,
  ownImages: number,
): Promise<ResolvedMentions> {
  const { handles, images } = parseMentions(String(config.prompt ?? ''));
  const resolved: ResolvedMentions = { mentions: [], inputs: [], issues: [] };
  const refuse = (message: string) => resolved.issues.push({ path: '/prompt', message });
  for (const number of images.filter(number => number < 1 || number > ownImages).slice(0, MOST_HANDLES))
    refuse(`@image${number} means image ${number} of this request, which has ${ownImages}`);
  if (handles.length > MOST_HANDLES) {
    refuse(`a prompt may mention at most ${MOST_HANDLES} handles; this one mentions ${handles.length}`);
    return resolved;
  }
  const found = await findMentionable(accountId, handles);
  for (const handle of handles) {
    const entity = found.get(handle);
    const use = entity ? useOf(entity, architecture, config) : UNKNOWN;
    if (typeof use === 'string') refuse(`@${handle} ${use}`);
    else if (entity) {
      const { id, kind } = entity;
      resolved.inputs.push(...use.map(input => ({ ...input, handle })));
      resolved.mentions.push({ handle, id, kind, mediaIds: use.map(({ mediaId }) => mediaId) });
    }
  }
  return resolved;
}

const UNKNOWN =
  'is neither a character or reference of yours nor a public character: create it, correct the handle, or write \\@ for a plain @';

/** The media that a mention brings to this variant, or why it brings none. */
function useOf(
  { kind, imageId, soundId }: Mentionable,
  architecture: Architecture,
  config: Readonly<Record<string, unknown>>,
): StoredInput[] | string {
  const modelId = String(config.model_id);
  const takes = (wanted: MentionKind) => takesMentions(architecture, wanted, modelId);
  const image: StoredInput[] = imageId ? [{ role: 'reference', mediaId: imageId }] : [];
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
