import { and, eq, inArray, isNull, or } from 'drizzle-orm';
import { morePictures } from '#lib/cast/character-files';
import type { ReferenceKind } from '#lib/contract/cast-schemas';
import { db } from '#lib/db/client';
import { accounts, characters, handles, references } from '#lib/db/schema';

/** What a handle stands for now. */
export interface Mentionable {
  handle: string;
  id: string;
  kind: 'character' | ReferenceKind;
  /** Media ids, the most telling picture first. */
  imageIds: string[];
  /** A character's voice, or the clip of an audio reference. */
  soundId: string | null;
}

/** Who the handles name for this account: its own characters and references, and public characters of others that are not disabled. One query. */
export async function findMentionable(accountId: string, names: string[]): Promise<Map<string, Mentionable>> {
  if (!names.length) return new Map();
  const rows = await db()
    .select({ character: characters, more: morePictures, reference: references })
    .from(handles)
    .innerJoin(accounts, eq(accounts.id, handles.accountId))
    .leftJoin(characters, eq(characters.id, handles.entityId))
    .leftJoin(references, eq(references.id, handles.entityId))
    .where(
      and(
        inArray(handles.handle, names),
        or(eq(handles.accountId, accountId), and(eq(characters.visibility, 'public'), isNull(accounts.disabledAt))),
      ),
    );
  const found = rows.flatMap(({ character, more, reference }): Mentionable[] => {
    if (character) {
      const { handle, id, imageId, voiceId, publicImageId, publicVoiceId } = character;
      const isOwn = character.accountId === accountId;
      // one that was published before there were copies has none
      const given = (own: string, copy: string | null) => (isOwn ? own : (copy ?? own));
      const imageIds = [
        given(imageId, publicImageId),
        ...more.map(({ mediaId, publicMediaId }) => given(mediaId, publicMediaId)),
      ];
      return [{ handle, id, kind: 'character', imageIds, soundId: voiceId && given(voiceId, publicVoiceId) }];
    }
    if (!reference) return [];
    const { handle, id, kind, mediaId } = reference;
    const isSound = kind === 'audio';
    return [{ handle, id, kind, imageIds: isSound ? [] : [mediaId], soundId: isSound ? mediaId : null }];
  });
  return new Map(found.map(mentionable => [mentionable.handle, mentionable]));
}
