import { changedFields, type Config } from '#components/studio/config';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

/** Returns what a preset stores of a draft: values that differ from the defaults, but no media, because they expire. */
export function settingsToSave(entry: CatalogEntry, config: Config, withPrompt: boolean): Config {
  const { properties } = entry.input_schema;
  const kept = Object.entries(changedFields(entry, config)).filter(([name]) =>
    name === 'prompt' ? withPrompt : !properties[name]?.['x-media'],
  );
  return Object.fromEntries(kept);
}

/** Returns the config of a form with a preset: its own media stay, and its prompt if the preset has none. */
export function withPreset({ input_schema }: CatalogEntry, now: Config, settings: Config): Config {
  const own = Object.entries(now).filter(
    ([name]) => name === 'prompt' || input_schema.properties[name]?.['x-media'] !== undefined,
  );
  return { ...Object.fromEntries(own), ...settings };
}

/** Returns settings as one line of text. */
export const wordsOf = (settings: Config): string =>
  Object.entries(settings)
    .map(([name, value]) => {
      const title = name.replaceAll('_', ' ');
      if (typeof value === 'boolean') return value ? title : `no ${title}`;
      return typeof value === 'number' ? `${title} ${value}` : String(value);
    })
    .join(' · ');
