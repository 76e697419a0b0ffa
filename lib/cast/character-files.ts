import { sql } from 'drizzle-orm';
import type { KeptFile } from '#lib/cast/entity-files';
import type { Tx } from '#lib/db/client';
import { characterPictures, characters, media } from '#lib/db/schema';

// Where a character's files stand: portrait and voice in its row, its other pictures in a table.

export interface CharacterFiles {
  /** The portrait, then the others in their order. */
  pictures: [KeptFile, ...KeptFile[]];
  voice: KeptFile | null;
}

/** The pictures beside the portrait, as a column of a query over characters. */
export const morePictures = sql<KeptFile[]>`(select coalesce(json_agg(
    json_build_object('mediaId', m.id, 'key', m.key, 'bytes', m.bytes, 'width', m.width, 'height', m.height, 'forms', m.forms,
      'publicMediaId', p.public_media_id) order by p.position), '[]')
  from ${characterPictures} p join ${media} m on m.id = p.media_id where p.character_id = ${characters.id})`;

export const filesOf = ({ pictures, voice }: CharacterFiles): KeptFile[] => [...pictures, ...(voice ? [voice] : [])];

export const columnsOf = ({ pictures: [portrait], voice }: CharacterFiles) => ({
  imageId: portrait.mediaId,
  publicImageId: portrait.publicMediaId,
  voiceId: voice?.mediaId ?? null,
  publicVoiceId: voice?.publicMediaId ?? null,
});

/** The pictures of a character that has none beside its portrait yet. */
export async function insertPictures(tx: Tx, characterId: string, more: KeptFile[]): Promise<void> {
  const rows = more.map(({ mediaId, publicMediaId }, position) => ({ characterId, position, mediaId, publicMediaId }));
  if (rows.length) await tx.insert(characterPictures).values(rows);
}
