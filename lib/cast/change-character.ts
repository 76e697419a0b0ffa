import { getCharacter, pictureFile, voiceFile, type Character } from '#lib/cast/characters';
import { requireCreator, type Creator } from '#lib/cast/creator';
import { releaseKept, withEntityFiles, type EntityFile, type KeptFile } from '#lib/cast/entity-files';
import { saveCharacter } from '#lib/cast/save-character';
import type { CharacterChange } from '#lib/contract/cast-schemas';
import { keyOfUrl } from '#lib/uploads/key-of-url';

/**
 * Changes the given members of a character. Requests keep the files that they were accepted with; public copies are
 * updated. Throws `forbidden`, `character_not_found`, `quota_exceeded`, and `invalid_request` for unusable files.
 */
export async function changeCharacter(
  creator: Creator,
  id: string,
  change: CharacterChange,
  signal?: AbortSignal,
): Promise<Character> {
  requireCreator(creator);
  for (;;) {
    const character = await getCharacter(creator.accountId, id);
    if (await applyTo(character, change, signal)) return getCharacter(creator.accountId, id);
    // another request changed the character meanwhile, so the change is applied to its new state
  }
}

/** A file that the character already has, or a new one. */
type Wanted = KeptFile | EntityFile;
const isNew = (file: Wanted | null): file is EntityFile => file !== null && 'value' in file;

async function applyTo(was: Character, change: CharacterChange, signal?: AbortSignal): Promise<boolean> {
  const { accountId, visibility, ...row } = was.row;
  const { name = row.name, description = row.description } = change;
  const [portrait, ...more] = picturesAfter(was, change);
  const voice = voiceAfter(was, change);
  const files = [portrait, ...more, voice].filter(isNew);
  return withEntityFiles(
    { accountId, files, adds: 0, isPublic: visibility === 'public', signal },
    async (tx, stored) => {
      const kept = (file: Wanted) => (isNew(file) ? stored[files.indexOf(file)]! : file);
      const isSaved = await saveCharacter(tx, was, {
        name,
        description,
        pictures: [kept(portrait), ...more.map(kept)],
        voice: voice && kept(voice),
      });
      if (!isSaved) await releaseKept(tx, stored);
      return isSaved;
    },
  );
}

/** Returns the pictures after a change. A picture named by its current URL is kept as it is. */
function picturesAfter({ pictures }: Character, { image, additional_images }: CharacterChange): [Wanted, ...Wanted[]] {
  const left = new Set(pictures);
  const take = (value: string, index: number): Wanted => {
    const key = keyOfUrl(value);
    const had = pictures.find(picture => left.has(picture) && picture.key === key);
    if (had) left.delete(had);
    return had ?? pictureFile(value, index);
  };
  const [first, ...others] = pictures;
  if (image === undefined) left.delete(first);
  const portrait = image === undefined ? first : take(image, 0);
  const more = additional_images?.map((value, index) => take(value, index + 1));
  return [portrait, ...(more ?? others.filter(picture => left.has(picture)))];
}

function voiceAfter({ voice: had }: Character, { voice }: CharacterChange): Wanted | null {
  if (voice === undefined) return had;
  if (voice === null) return null;
  return had && keyOfUrl(voice) === had.key ? had : voiceFile(voice);
}
