'use client';

import { offerCarried, type Carried } from '#components/carry/carried';
import { ask } from '#components/library/ask';
import { described, type WidgetProps } from '#components/studio/form-context';
import { ownImages } from '#components/studio/media-use';
import { MentionInput } from '#components/studio/mention-input';
import { MentionMeter } from '#components/studio/mention-meter';
import { changeDraft, draftOf } from '#components/studio/drafts';
import { freeSlot, putAll } from '#components/studio/slots';
import { awaitedFields } from '#components/studio/use-media-uploads';
import { usePastPrompts } from '#components/studio/use-past-prompts';
import { Button } from '#components/ui/button';
import { cn } from '#components/ui/cn';
import { toast } from '#components/ui/toast';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

export function PromptWidget(props: WidgetProps) {
  const { entry, config, mentionables, canMention, foreign, onMentioning } = props.context;
  const value = String(props.value ?? '');
  const onKeys = usePastPrompts(value, props.onChange);
  return (
    <div className="grid gap-2">
      <label htmlFor={props.id} className="sr-only">
        Prompt
      </label>
      <MentionInput
        id={props.id}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- writing the prompt is the purpose of the page
        autoFocus
        className="min-h-32 border-line"
        value={value}
        onChange={props.onChange}
        mentionables={mentionables}
        canMention={canMention}
        foreign={foreign}
        onKeys={onKeys}
        onMentioning={onMentioning}
        onMedia={pictures => takePictures(entry, pictures)}
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
  image: 'What should the image show?',
  video: 'What happens in the video?',
  audio: 'What should be heard?',
};

/**
 * Adds images to the form, as references if the model takes any; the prompt then names them by their numbers. If no
 * field takes images, offers them to other models.
 */
function takePictures(entry: CatalogEntry, pictures: readonly Carried[]) {
  const { references } = entry.image_inputs;
  const awaited = awaitedFields(entry.id);
  const field = references?.field ?? freeSlot(entry, draftOf(entry), 'image', awaited)?.field;
  const [carried, ...more] = pictures;
  if (!field) return carried && offerCarried({ carried, more, intent: 'use' });
  changeDraft(entry, now => {
    const urls = pictures.map(({ url }) => url);
    const { config, taken } = putAll(entry, now, field, urls, awaited);
    if (taken.length < urls.length) toast({ title: `${entry.name} takes ${taken.length} of these ${urls.length}.` });
    if (!references) return config;
    const own = ownImages(entry, config);
    const names = taken.map(url => `@image${own.indexOf(url) + 1}`);
    return { ...config, prompt: [String(now.prompt ?? '').trimEnd(), ...names, ''].join(' ').trimStart() };
  });
}

/** Shows the length of the prompt once it is near the limit. */
function Counter({ length, most }: { length: number; most: number }) {
  if (!(length > most * 0.8)) return null;
  return (
    <p className={cn('figures text-xs', length > most ? 'font-medium text-danger' : 'text-faint')}>
      {length.toLocaleString('en')} of {most.toLocaleString('en')} characters
    </p>
  );
}
