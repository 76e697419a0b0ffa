'use client';

import { modelOf, type Config } from '#components/studio/config';
import type { Mentionable } from '#components/studio/mentionables';
import { cn } from '#components/ui/cn';
import { meaningOf, parseMentions } from '#lib/cast/parse-mentions';
import { maxImagesOf, takesMentions } from '#lib/catalog/architecture';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

/** The reference images of a config's own fields, in the order of `@image1`, `@image2`. */
export function ownImages(entry: CatalogEntry, config: Config): string[] {
  const { references } = entry.image_inputs;
  if (!references) return [];
  const more = references.additional_field ? config[references.additional_field] : undefined;
  return [config[references.field], ...(Array.isArray(more) ? more : [])].flat().filter(url => typeof url === 'string');
}

/** How many images and voices the request uses of those that the variant takes. */
export function MentionMeter({
  entry,
  config,
  mentionables,
}: {
  entry: CatalogEntry;
  config: Config;
  mentionables: readonly Mentionable[];
}) {
  const modelId = modelOf(entry, config);
  const known = new Set(mentionables.map(({ handle }) => handle));
  const meant = parseMentions(String(config.prompt ?? '')).map(mention => meaningOf(mention, name => known.has(name)));
  const mentioned = mentionables.filter(({ handle, kind }) => kind !== 'image' && meant.includes(handle));
  const voices = entry.character_voices_switch;
  const sendsVoices = entry.mentions.character_voices && (!voices || config[voices] !== false);
  const takesPortraits = takesMentions(entry, 'characters', modelId);
  const pictured = mentioned.filter(({ kind, image }) => image && (kind !== 'character' || takesPortraits));
  const mostImages = maxImagesOf(entry, modelId);
  const needed = ownImages(entry, config).length + pictured.length;
  // further pictures only take what is left
  const spare = pictured.reduce((sum, { more }) => sum + more, 0);
  const images = Math.max(needed, Math.min(needed + spare, mostImages));
  const sounds = mentioned.filter(
    ({ kind, hasVoice }) => kind === 'audio' || (kind === 'character' && hasVoice && sendsVoices),
  ).length;
  const rows = [
    { name: 'images', used: images, most: mostImages },
    { name: 'voices', used: sounds, most: entry.mentions.max_audio_references },
  ].filter(({ used }) => used > 0);
  if (rows.length === 0) return null;
  return (
    <p className="figures flex flex-wrap gap-x-4 gap-y-1 text-xs text-faint">
      {rows.map(({ name, used, most }) => (
        <span key={name} className={cn('inline-flex items-center gap-2', used > most && 'font-medium text-danger')}>
          <span className="flex gap-0.5" aria-hidden>
            {Array.from({ length: Math.min(most, 12) }, (_, index) => (
              <span key={index} className={cn('h-2 w-1.5 rounded-[2px] bg-ink/14', index < used && 'bg-accent')} />
            ))}
          </span>
          {used} of {most} {name}
        </span>
      ))}
    </p>
  );
}
