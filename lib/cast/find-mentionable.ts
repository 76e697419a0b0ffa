import { eq, sql } from 'drizzle-orm';
import { morePictures } from '#lib/cast/character-files';
import type { ReferenceKind } from '#lib/contract/cast-schemas';
import { batched } from '#lib/db/batched';
import { db } from '#lib/db/client';
import { accounts, characters, handles, references } from '#lib/db/schema';

/** Character or reference that a handle currently stands for. */
export interface Mentionable {
  handle: string;
  id: string;
  /** Whether it belongs to the account that mentions it. */
  isOwn: boolean;
  kind: 'character' | ReferenceKind;
  /** Media ids of the pictures, the most important one first. */
  imageIds: string[];
  /** Media id of a character's voice or of an audio reference's clip. */
  soundId: string | null;
}

interface Asked {
  accountId: string;
  names: string[];
}

/**
 * Resolves handles for an account: its own characters and references, and public characters of enabled accounts.
 * Calls are batched, since a recipe calls this for each of its requests, and hundreds of estimates would otherwise
 * flood the database with queries.
 */
export async function findMentionable(accountId: string, names: string[]): Promise<Map<string, Mentionable>> {
  return (names.length > 0 && (await find({ accountId, names }))) || new Map();
}

const find = batched('mentionable', findAll, { most: 100 });

async function findAll(asked: readonly Asked[]): Promise<Map<string, Mentionable>[]> {
  const names = [...new Set(asked.flatMap(one => one.names))];
  const rows = await db()
    .select({
      handle: handles.handle,
      owner: handles.accountId,
      isPublic: sql<boolean>`coalesce(${characters.visibility} = 'public' and ${accounts.disabledAt} is null, false)`,
      character: characters,
      more: morePictures,
      reference: references,
    })
    .from(handles)
    .innerJoin(accounts, eq(accounts.id, handles.accountId))
    .leftJoin(characters, eq(characters.id, handles.entityId))
    .leftJoin(references, eq(references.id, handles.entityId))
    // an array is one parameter, whatever the number of names
    .where(sql`${handles.handle} = any(${sql.param(names)}::text[])`);
  const named = new Map(rows.map(row => [row.handle, row]));
  return asked.map(({ accountId, names }) => {
    const found = names.flatMap(name => {
      const row = named.get(name);
      const isSeen = row && (row.owner === accountId || row.isPublic);
      return isSeen ? toMentionable(row, accountId) : [];
    });
    return new Map(found.map(mentionable => [mentionable.handle, mentionable]));
  });
}

interface Row {
  character: typeof characters.$inferSelect | null;
  more: { mediaId: string; publicMediaId: string | null }[];
  reference: typeof references.$inferSelect | null;
}

function toMentionable({ character, more, reference }: Row, accountId: string): Mentionable[] {
  if (character) {
    const { handle, id, imageId, voiceId, publicImageId, publicVoiceId } = character;
    const isOwn = character.accountId === accountId;
    // a character that was published before copies existed has none
    const given = (own: string, copy: string | null) => (isOwn ? own : (copy ?? own));
    const imageIds = [
      given(imageId, publicImageId),
      ...more.map(({ mediaId, publicMediaId }) => given(mediaId, publicMediaId)),
    ];
    return [{ handle, id, isOwn, kind: 'character', imageIds, soundId: voiceId && given(voiceId, publicVoiceId) }];
  }
  if (!reference) return [];
  const { handle, id, kind, mediaId } = reference;
  const isSound = kind === 'audio';
  return [{ handle, id, isOwn: true, kind, imageIds: isSound ? [] : [mediaId], soundId: isSound ? mediaId : null }];
}
