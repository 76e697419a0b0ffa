'use client';

import { ask } from '#components/library/ask';
import { described, type WidgetProps } from '#components/studio/form-context';
import { MentionInput } from '#components/studio/mention-input';
import { MentionMeter, ownImages } from '#components/studio/mention-meter';
import { modelOf } from '#components/studio/config';
import { changeDraft } from '#components/studio/drafts';
import { freeSlot, putMedia } from '#components/studio/slots';
import { usePastPrompts } from '#components/studio/use-past-prompts';
import { Button } from '#components/ui/button';
import { cn } from '#components/ui/cn';
import { takesAnyMention } from '#lib/catalog/architecture';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

export function PromptWidget(props: WidgetProps) {
  const { entry, config, mentionables, foreign, onMentioning } = props.context;
  const value = String(props.value ?? '');
  const onKeys = usePastPrompts(value, props.onChange);
  const canMention = takesAnyMention(entry, modelOf(entry, config));
  return (
    <div className="grid gap-2">
      <label htmlFor={props.id} className="sr-only">
        Prompt
      </label>
      <MentionInput
        id={props.id}
        value={value}
        onChange={props.onChange}
        mentionables={mentionables}
        foreign={foreign}
        onKeys={onKeys}
        onMentioning={onMentioning}
        onMedia={({ url }) => takeMedia(entry, url)}
        placeholder={PLACEHOLDERS[entry.type] + (canMention ? ' Type @ to mention someone or something.' : '')}
        {...described(props)}
      />
      <MentionMeter entry={entry} config={config} mentionables={mentionables} />
      <Counter length={value.length} most={Number(props.schema.maxLength)} />
      <p className="-mx-2 -my-1 flex">
        {SAVED.map(({ part, name }) => (
          <Button
            key={part}
            tone="ghost"
            size="sm"
            onClick={() => ask({ kind: 'saved', part, entry })}
            className="px-2 text-xs font-normal text-faint"
          >
            {name}
          </Button>
        ))}
      </p>
    </div>
  );
}

const SAVED = [
  { part: 'styles', name: 'Styles' },
  { part: 'prompts', name: 'Past prompts' },
] as const;

const PLACEHOLDERS = {
  image: 'What should the picture show?',
  video: 'What happens in the clip?',
  audio: 'What should be heard?',
};

/** Puts a picture into the form, as a reference where the model takes any: then the prompt names it by its number. */
function takeMedia(entry: CatalogEntry, url: string) {
  changeDraft(entry, now => {
    const { references } = entry.image_inputs;
    const field = references?.field ?? freeSlot(entry, now, 'image')?.field;
    if (!field) return now;
    const next = putMedia(entry, now, field, url);
    if (!references) return next;
    const words = String(now.prompt ?? '').trimEnd();
    return { ...next, prompt: `${words}${words && ' '}@image${ownImages(entry, next).indexOf(url) + 1} ` };
  });
}

/** How much room is left, when it is little. */
function Counter({ length, most }: { length: number; most: number }) {
  if (!(length > most * 0.8)) return null;
  return (
    <p className={cn('figures text-xs', length > most ? 'font-medium text-danger' : 'text-faint')}>
      {length.toLocaleString('en')} of {most.toLocaleString('en')} characters
    </p>
  );
}
