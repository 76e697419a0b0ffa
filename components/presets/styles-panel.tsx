'use client';

import type { SyntheticEvent } from 'react';
import { SavedRow } from '#components/presets/saved-row';
import { hasStyle, withoutStyle, withStyle } from '#components/presets/style-words';
import type { Typed } from '#components/presets/typed';
import { usePresets } from '#components/presets/use-presets';
import { changeDraft, useDraft } from '#components/studio/drafts';
import { Button } from '#components/ui/button';
import { Input } from '#components/ui/input';
import { QueryView } from '#components/ui/query-view';
import { Textarea } from '#components/ui/textarea';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import { NAME_LENGTH, NOTES_LENGTH } from '#lib/contract/library-limits';

/** Named parts of prompts: a press adds one to the prompt, another press removes it. */
export function StylesPanel({ entry, typed: { style: name, words }, onType }: { entry: CatalogEntry } & Typed) {
  const { query, isBusy, save, rename, remove } = usePresets();
  const prompt = String(useDraft(entry).now.prompt ?? '');
  const toggle = (style: string) =>
    changeDraft(entry, now => {
      const text = String(now.prompt ?? '');
      return { ...now, prompt: hasStyle(text, style) ? withoutStyle(text, style) : withStyle(text, style) };
    });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!name.trim() || !words.trim()) return;
    save({ name, architecture: null, settings: { prompt: words.trim() } }, () => onType({ style: '', words: '' }));
  };
  return (
    <div className="grid gap-5">
      <QueryView query={query}>
        {all => {
          const styles = all.filter(({ architecture }) => architecture === null);
          if (styles.length === 0)
            return <p className="text-sm text-soft">Words you use often, such as a light or a medium.</p>;
          return (
            <ul className="-mx-2 grid gap-0.5">
              {styles.map(style => {
                const part = String(style.settings.prompt);
                return (
                  <SavedRow
                    key={style.id}
                    name={style.name}
                    detail={part}
                    isOn={hasStyle(prompt, part)}
                    onUse={() => toggle(part)}
                    isBusy={isBusy}
                    onRename={(next, onSaved) => rename(style, next, onSaved)}
                    onRemove={() => remove(style)}
                  />
                );
              })}
            </ul>
          );
        }}
      </QueryView>
      {prompt && (
        <p dir="auto" aria-live="polite" className="line-clamp-3 rounded-md bg-sunk px-3 py-2 text-sm text-soft">
          {prompt}
        </p>
      )}
      <form onSubmit={submit} className="grid gap-2 border-t pt-5">
        <Textarea
          aria-label="Words of the new style"
          placeholder="soft window light, muted colours, fine grain"
          maxLength={NOTES_LENGTH}
          rows={2}
          value={words}
          onChange={event => onType({ words: event.target.value })}
          className="min-h-16"
        />
        <div className="flex gap-2">
          <Input
            aria-label="Name of the style"
            placeholder="Name of a new style"
            maxLength={NAME_LENGTH}
            value={name}
            onChange={event => onType({ style: event.target.value })}
          />
          <Button type="submit" busy={isBusy} disabled={!name.trim() || !words.trim()}>
            Save
          </Button>
        </div>
      </form>
    </div>
  );
}
