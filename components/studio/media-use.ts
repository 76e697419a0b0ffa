import { modelOf, type Config } from '#components/studio/config';
import type { Mentionable } from '#components/studio/mentionables';
import { meaningOf, parseMentions } from '#lib/cast/parse-mentions';
import { mostImagesOf, takesMentions } from '#lib/catalog/architecture';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import { sum } from '#lib/sum';

const urlsIn = (config: Config, fields: readonly (string | null | undefined)[]): string[] =>
  fields
    .flatMap(field => (field ? config[field] : []))
    .filter((url): url is string => typeof url === 'string' && url !== '');

/** Returns the reference images in the config's own fields, in the order of `@image1`, `@image2`. */
export const ownImages = ({ image_inputs: { references } }: CatalogEntry, config: Config): string[] =>
  urlsIn(config, [references?.field, references?.additional_field]);

/** Whether the config has a source video. */
export const hasSourceVideo = ({ video_inputs }: CatalogEntry, config: Config): boolean =>
  urlsIn(config, [video_inputs?.field]).length > 0;

/** Counts the images and voices of a request, in fields and by mentions, and the most that its variant takes. */
export function mediaUse(entry: CatalogEntry, config: Config, mentionables: readonly Mentionable[]) {
  const modelId = modelOf(entry, config);
  const known = new Set(mentionables.map(({ handle }) => handle));
  const meant = parseMentions(String(config.prompt ?? '')).map(mention => meaningOf(mention, name => known.has(name)));
  const mentioned = mentionables.filter(({ handle, kind }) => kind !== 'image' && meant.includes(handle));
  const voices = entry.character_voices_switch;
  const sendsVoices = entry.mentions.character_voices && (!voices || config[voices] !== false);
  const takesPortraits = takesMentions(entry, 'characters', modelId);
  const pictured = mentioned.filter(({ kind, image }) => image && (kind !== 'character' || takesPortraits));
  const mostImages = mostImagesOf(entry, modelId, hasSourceVideo(entry, config));
  const needed = ownImages(entry, config).length + pictured.length;
  // additional images of a mention only fill the room that is left
  const spare = sum(pictured.map(({ more }) => more));
  const sounds = mentioned.filter(
    ({ kind, hasVoice }) => kind === 'audio' || (kind === 'character' && hasVoice && sendsVoices),
  );
  return {
    images: { used: Math.max(needed, Math.min(needed + spare, mostImages)), most: mostImages },
    voices: { used: sounds.length, most: entry.mentions.max_audio_references },
  };
}
