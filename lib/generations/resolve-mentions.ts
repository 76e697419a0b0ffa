import { findMentionable, type Mentionable } from '#lib/cast/find-mentionable';
import { meaningOf, ownImageNumber, parseMentions } from '#lib/cast/parse-mentions';
import { takesAnyMention, takesMentions, type MentionKind } from '#lib/catalog/architecture';
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
export const MOST_HANDLES = 100;

/**
 * Looks up who and what the prompt mentions: the account's own characters and references, and public characters of others.
 * `ownImages` is how many images the fields of the request hold.
 */
export async function resolveMentions(
  accountId: string,
  architecture: Architecture,
  config: Config,
  ownImages: number,
): Promise<ResolvedMentions> {
  const written = parseMentions(String(config.prompt ?? ''));
  const resolved: ResolvedMentions = { mentions: [], inputs: [], issues: [] };
  const refuse = (message: string) => resolved.issues.push({ path: '/prompt', message });
  const longest = new Set(written.map(({ names }) => names[0]));
  if (longest.size > MOST_HANDLES) {
    refuse(`A prompt may mention at most ${MOST_HANDLES} handles; this one mentions ${longest.size}.`);
    return resolved;
  }
  const found = await findMentionable(accountId, [...new Set(written.flatMap(({ names }) => names))]);
  const isKnown = (name: string) => found.has(name);
  // what nothing is called is named without the signs at its end
  const meant = written.map(mention => meaningOf(mention, isKnown) ?? mention.names[0]!.replace(/[_-]+$/, ''));
  for (const handle of new Set(meant)) {
    const entity = found.get(handle);
    const use = entity ? useOf(entity, architecture, config) : useOfNothing(handle, architecture, config, ownImages);
    if (typeof use === 'string') refuse(`@${handle} ${use}.`);
    else if (entity) {
      const { id, kind } = entity;
      resolved.inputs.push(...use.map(input => ({ ...input, handle })));
      resolved.mentions.push({ handle, id, kind, mediaIds: use.flatMap(({ mediaId }) => mediaId ?? []) });
    }
  }
  return resolved;
}

type Config = Readonly<Record<string, unknown>>;

/** An image of the request itself brings nothing more; any other name without an entity is refused. */
function useOfNothing(
  handle: string,
  architecture: Architecture,
  { model_id }: Config,
  ownImages: number,
): [] | string {
  const number = ownImageNumber(handle);
  if (number !== null && number >= 1 && number <= ownImages) return [];
  if (number !== null) return `means image ${number} of this request, which has ${ownImages}`;
  if (!takesAnyMention(architecture, String(model_id)))
    return `mentions nothing: ${String(model_id)} takes no mentions; leave it out, or write \\@ for a plain @`;
  return 'is neither a character or reference of yours nor a public character: create it, correct the handle, or write \\@ for a plain @';
}

/** The media that a mention brings to this variant, or why it brings none. */
function useOf(
  { kind, imageId, soundId }: Mentionable,
  architecture: Architecture,
  config: Config,
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
