import { sql } from 'drizzle-orm';
import type { KeptFile } from '#lib/cast/entity-files';
import type { Tx } from '#lib/db/client';
import { characterPictures, characters, media } from '#lib/db/schema';

// portrait and voice of a character are columns of its row; its other pictures are rows of `characterPictures`

export interface CharacterFiles {
  /** The portrait, followed by the other pictures in order. */
  pictures: [KeptFile, ...KeptFile[]];
  voice: KeptFile | null;
}

/** SQL column of a query over characters: the pictures other than the portrait. */
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

/** Inserts the pictures of a character that has only its portrait so far. */
export async function insertPictures(tx: Tx, characterId: string, more: KeptFile[]): Promise<void> {
  const rows = more.map(({ mediaId, publicMediaId }, position) => ({ characterId, position, mediaId, publicMediaId }));
  if (rows.length) await tx.insert(characterPictures).values(rows);
}
