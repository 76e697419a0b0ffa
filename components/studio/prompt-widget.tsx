'use client';

import { contextOf, described, type StudioWidgetProps } from '#components/studio/form-context';
import { MentionInput } from '#components/studio/mention-input';
import { MentionMeter } from '#components/studio/mention-meter';
import { modelOf } from '#components/studio/config';
import { takesAnyMention } from '#lib/catalog/architecture';

export function PromptWidget(props: StudioWidgetProps) {
  const { entry, config, mentionables, foreign } = contextOf(props);
  const canMention = takesAnyMention(entry, modelOf(entry, config));
  return (
    <div className="grid gap-2">
      <MentionInput
        id={props.id}
        value={String(props.value ?? '')}
        onChange={props.onChange}
        mentionables={mentionables}
        foreign={foreign}
        placeholder={PLACEHOLDERS[entry.type] + (canMention ? ' Type @ to mention someone or something.' : '')}
        {...described(props)}
      />
      <MentionMeter entry={entry} config={config} mentionables={mentionables} />
    </div>
  );
}

const PLACEHOLDERS = {
  image: 'What should the picture show?',
  video: 'What happens in the clip?',
  audio: 'What should be heard?',
};
