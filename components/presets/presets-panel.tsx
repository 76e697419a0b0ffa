'use client';

import { useState, type SyntheticEvent } from 'react';
import { useRouter } from 'next/navigation';
import { Emblem } from '#components/architectures/emblem';
import { ask } from '#components/library/ask';
import { settingsToSave, withPreset, wordsOf } from '#components/presets/preset-settings';
import { SavedRow } from '#components/presets/saved-row';
import type { Typed } from '#components/presets/typed';
import { usePresets } from '#components/presets/use-presets';
import { draftOf, useDraft } from '#components/studio/drafts';
import { takeSettings } from '#components/studio/take-settings';
import { Button } from '#components/ui/button';
import { Input } from '#components/ui/input';
import { QueryView } from '#components/ui/query-view';
import { Switch } from '#components/ui/switch';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import { NAME_LENGTH } from '#lib/contract/library-limits';
import type { PresetWire } from '#lib/contract/library-schemas';

/** Named settings of models: saves those of the form, and fills the form with saved ones. */
export function PresetsPanel({
  entry,
  entries,
  typed: { preset: name },
  onType,
}: { entry: CatalogEntry; entries: readonly CatalogEntry[] } & Typed) {
  const { query, isBusy, save, rename, remove } = usePresets();
  const { now } = useDraft(entry);
  const router = useRouter();
  const [withPrompt, setWithPrompt] = useState(false);
  const settings = settingsToSave(entry, now, withPrompt);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (name.trim()) save({ name, architecture: entry.id, settings }, () => onType({ preset: '' }));
  };
  const use = ({ architecture, settings: saved }: PresetWire) => {
    const target = entries.find(({ id }) => id === architecture);
    const config = target ? withPreset(target, draftOf(target), saved) : saved;
    takeSettings({ architecture: architecture!, config }, { entry, entries, router });
    ask(null);
  };
  const row = (preset: PresetWire) => {
    const of = entries.find(({ id }) => id === preset.architecture);
    const detail = wordsOf(preset.settings) || 'all defaults';
    return (
      <SavedRow
        key={preset.id}
        name={preset.name}
        detail={preset.architecture === entry.id ? detail : `${of?.name ?? preset.architecture} · ${detail}`}
        icon={<Emblem id={preset.architecture!} className="size-7" />}
        onUse={() => use(preset)}
        isBusy={isBusy}
        onRename={(next, onSaved) => rename(preset, next, onSaved)}
        onRemove={() => remove(preset)}
      />
    );
  };
  return (
    <div className="grid gap-5">
      <form onSubmit={submit} className="grid gap-3">
        <div className="flex gap-2">
          <Input
            aria-label="Name of the preset"
            placeholder={`Save the settings of ${entry.name} as…`}
            maxLength={NAME_LENGTH}
            value={name}
            onChange={event => onType({ preset: event.target.value })}
          />
          <Button type="submit" tone="primary" busy={isBusy} disabled={!name.trim()}>
            Save
          </Button>
        </div>
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <p className="text-xs text-faint">{wordsOf(settings) || 'Everything is at its default.'}</p>
          <Switch
            label="With the prompt"
            checked={withPrompt}
            onChange={event => setWithPrompt(event.target.checked)}
          />
        </div>
      </form>
      <QueryView query={query}>
        {all => {
          const presets = all.filter(({ architecture }) => architecture !== null);
          const [own, others] = [true, false].map(is => presets.filter(one => (one.architecture === entry.id) === is));
          if (presets.length === 0)
            return <p className="py-4 text-sm text-soft">A preset keeps variant, sizes and every other setting.</p>;
          return (
            <div className="-mx-2 grid gap-4">
              {own!.length > 0 && <ul className="grid gap-0.5">{own!.map(row)}</ul>}
              {others!.length > 0 && (
                <section aria-label="Other models" className="grid gap-1">
                  <h3 className="px-2 text-xs text-faint">Other models</h3>
                  <ul className="grid gap-0.5">{others!.map(row)}</ul>
                </section>
              )}
            </div>
          );
        }}
      </QueryView>
    </div>
  );
}
