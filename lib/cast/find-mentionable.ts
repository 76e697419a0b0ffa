import { and, eq, inArray, or } from 'drizzle-orm';
import type { ReferenceKind } from '#lib/contract/cast-schemas';
import { db } from '#lib/db/client';
import { characters, handles, references } from '#lib/db/schema';

/** What a handle stands for now. */
export interface Mentionable {
  handle: string;
  id: string;
  kind: 'character' | ReferenceKind;
  /** Media ids. */
  imageId: string | null;
  /** A character's voice, or the clip of an audio reference. */
  soundId: string | null;
}

/** Who the handles name for this account: its own characters and references, and public characters of others. One query. */
export async function findMentionable(accountId: string, names: string[]): Promise<Map<string, Mentionable>> {
  if (!names.length) return new Map();
  const rows = await db()
    .select()
    .from(handles)
    .leftJoin(characters, eq(characters.id, handles.entityId))
    .leftJoin(references, eq(references.id, handles.entityId))
    .where(
      and(inArray(handles.handle, names), or(eq(handles.accountId, accountId), eq(characters.visibility, 'public'))),
    );
  const found = rows.flatMap(({ characters: character, cast_references: reference }): Mentionable[] => {
    if (character) {
      const { handle, id, imageId, voiceId, publicImageId, publicVoiceId } = character;
      // one that was published before there were copies has none
      const isOwn = character.accountId === accountId || publicImageId === null;
      const files = isOwn ? { imageId, soundId: voiceId } : { imageId: publicImageId, soundId: publicVoiceId };
      return [{ handle, id, kind: 'character', ...files }];
    }
    if (!reference) return [];
    const { handle, id, kind, mediaId } = reference;
    const isSound = kind === 'audio';
    return [{ handle, id, kind, imageId: isSound ? null : mediaId, soundId: isSound ? mediaId : null }];
  });
  return new Map(found.map(mentionable => [mentionable.handle, mentionable]));
}
