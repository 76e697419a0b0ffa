'use client';

import { Dices, Lock, LockOpen } from 'lucide-react';
import { isRecipe } from '#components/studio/config';
import { described, type WidgetProps } from '#components/studio/form-context';
import { MentionInput } from '#components/studio/mention-input';
import { drawSeed } from '#components/studio/seeds';
import { IconButton } from '#components/ui/icon-button';
import { Input } from '#components/ui/input';
import { Slider } from '#components/ui/slider';
import { Switch } from '#components/ui/switch';
import { Textarea } from '#components/ui/textarea';
import { useLines } from '#components/ui/use-lines';

export function ToggleWidget(props: WidgetProps) {
  return (
    <Switch
      id={props.id}
      {...described(props)}
      label={props.options.title}
      checked={props.value === true}
      onChange={event => props.onChange(event.target.checked)}
      className="w-full flex-row-reverse justify-between"
    />
  );
}

export function RangeWidget(props: WidgetProps) {
  const { minimum = 0, maximum = 1, multipleOf, type } = props.schema;
  const step = multipleOf ?? (type === 'integer' ? 1 : fineStep(maximum - minimum));
  return (
    <Slider
      id={props.id}
      {...described(props)}
      min={minimum}
      max={maximum}
      step={step}
      value={Number(props.value ?? minimum)}
      onChange={event => props.onChange(event.target.valueAsNumber)}
    />
  );
}

/** Returns a power of ten that gives the range a hundred steps or more. */
const fineStep = (range: number) => 10 ** Math.floor(Math.log10(range / 100));

export function AmountWidget(props: WidgetProps) {
  const { minimum, maximum, multipleOf, type } = props.schema;
  return (
    <Input
      type="number"
      id={props.id}
      {...described(props)}
      min={minimum}
      max={maximum}
      step={multipleOf ?? (type === 'integer' ? 1 : 'any')}
      value={String(props.value ?? '')}
      onChange={event => props.onChange(event.target.value === '' ? undefined : event.target.valueAsNumber)}
    />
  );
}

/** A locked seed is used for every generation; otherwise each generation draws a new one. */
export function SeedWidget(props: WidgetProps) {
  const isLocked = typeof props.value === 'number';
  return (
    <div className="flex items-center gap-1">
      <Input
        inputMode="numeric"
        id={props.id}
        {...described(props)}
        className="figures"
        placeholder="A new one each time"
        value={isLocked ? String(props.value) : ''}
        onChange={event => {
          const digits = event.target.value.replaceAll(/\D/g, '');
          props.onChange(digits === '' ? undefined : Math.min(Number(digits), props.schema.maximum ?? Infinity));
        }}
      />
      <IconButton
        label="Draw another seed"
        icon={<Dices className="size-4.5" aria-hidden />}
        onClick={() => props.onChange(drawSeed())}
      />
      <IconButton
        label={isLocked ? 'Unlock the seed' : 'Lock a seed'}
        aria-pressed={isLocked}
        className="aria-pressed:text-accent-ink"
        icon={isLocked ? <Lock className="size-4.5" aria-hidden /> : <LockOpen className="size-4.5" aria-hidden />}
        onClick={() => props.onChange(isLocked ? undefined : drawSeed())}
      />
    </div>
  );
}

export function LineWidget(props: WidgetProps) {
  return (
    <Input
      id={props.id}
      {...described(props)}
      value={String(props.value ?? '')}
      onChange={event => props.onChange(event.target.value)}
    />
  );
}

export const WordsWidget = (props: WidgetProps) => (
  <Words field={props} rows={2} className="min-h-16" value={String(props.value ?? '')} onChange={props.onChange} />
);

/** A list of texts, one per line. */
export function LinesWidget(props: WidgetProps) {
  const list = Array.isArray(props.value) ? (props.value as string[]) : [];
  const { value, onText } = useLines(list, next => props.onChange(next.length > 0 ? next : undefined));
  return <Words field={props} rows={5} className="min-h-30" value={value} onChange={onText} />;
}

/** A multi-line text. The texts of a recipe become part of prompts, so they take the same mentions. */
function Words({
  field,
  onChange,
  ...rest
}: {
  field: WidgetProps;
  rows: number;
  className: string;
  value: string;
  onChange: (value: string) => void;
}) {
  const { entry, mentionables, canMention, foreign, onMentioning } = field.context;
  const look = { id: field.id, ...described(field), ...rest };
  if (!isRecipe(entry)) return <Textarea {...look} onChange={event => onChange(event.target.value)} />;
  return <MentionInput {...look} {...{ mentionables, canMention, foreign, onMentioning, onChange }} />;
}
