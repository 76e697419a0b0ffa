import type { CatalogFile, Field, FieldRole, FileField } from '#lib/catalog/file-shape';
import { COMMON_FIELDS } from '#lib/catalog/common-fields';

type Fields = Record<string, Field>;

/** Returns every field of a file with the common definitions folded in, in the order of a form. */
export function foldFields(file: CatalogFile): Fields {
  const model = { enum: file.model_ids, default: file.default_model_id };
  const largest = Math.max(file.max_images, ...Object.values(file.max_images_by_model));
  const written: Record<string, FileField> = {
    prompt: {},
    ...file.fields,
    model_id: { ...file.fields.model_id, ...model },
    seed: { ...file.fields.seed },
  };
  const fields = Object.entries(written).map(([key, own]): [string, FileField] => {
    const whole: FileField = { title: titleOf(key), ...COMMON_FIELDS[key], ...own };
    if (key === 'prompt') whole.description = [whole.description, mentionable(file)].filter(Boolean).join(' ');
    if (whole.role === 'additional_references') whole.maxItems ??= largest;
    return [key, whole];
  });
  // a missing type or description is reported by checkArchitecture
  return Object.fromEntries(fields.sort((a, b) => rank(...a) - rank(...b))) as Fields;
}

/** Returns the fields that architectures share, each with a title. */
export const commonFields = (): Fields =>
  Object.fromEntries(Object.entries(COMMON_FIELDS).map(([key, field]) => [key, { title: titleOf(key), ...field }]));

/** Returns the field names by role. */
export const rolesOf = (fields: Fields): Partial<Record<FieldRole, string>> =>
  Object.fromEntries(Object.entries(fields).flatMap(([key, { role }]) => (role ? [[role, key]] : [])));

/** Returns a sentence that says what prompts may mention; null when nothing. */
function mentionable({ mentions: { characters, references, audio_references, character_voices } }: CatalogFile) {
  const named = [
    characters.length > 0 ? 'characters' : character_voices && 'characters with a voice',
    references.length > 0 && 'references',
    references.length === 0 && audio_references.length > 0 && 'audio references',
  ].filter(Boolean);
  return named.length > 0 ? `Mention saved ${named.join(' and ')} as @handle.` : null;
}

const RANKS = ['prompt', 'media', 'model_id', 'aspect_ratio', 'resolution', 'duration', 'other', 'seed'];
const rank = (key: string, { media, role }: FileField) =>
  RANKS.indexOf([media ? 'media' : key, role ?? ''].find(word => RANKS.includes(word)) ?? 'other');

/** Returns the title of a field whose file has none. */
export const titleOf = (key: string): string => key.charAt(0).toUpperCase() + key.slice(1).replaceAll('_', ' ');
