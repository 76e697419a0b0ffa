'use client';

import { useMemo, useState, type FormEvent, type ReactNode } from 'react';
import { ChevronRight } from 'lucide-react';
import { ArchitectureSwitch } from '#components/studio/architecture-switch';
import { modelOf } from '#components/studio/config';
import { faultsByField, issuesByField, setFields } from '#components/studio/field-faults';
import { FieldFrame } from '#components/studio/field-frame';
import type { FormContext, WidgetProps } from '#components/studio/form-context';
import { MediaListWidget, MediaWidget } from '#components/studio/media-widgets';
import { PromptWidget } from '#components/studio/prompt-widget';
import { toForm, type FormField } from '#components/studio/to-form';
import { ChipsWidget, ChoiceWidget, RatioWidget } from '#components/studio/token-widgets';
import { useValidator } from '#components/studio/use-validator';
import {
  AmountWidget,
  LineWidget,
  RangeWidget,
  SeedWidget,
  ToggleWidget,
  WordsWidget,
} from '#components/studio/value-widgets';
import type { Issue } from '#lib/errors';

const WIDGETS = {
  prompt: PromptWidget,
  media: MediaWidget,
  mediaList: MediaListWidget,
  ratio: RatioWidget,
  chips: ChipsWidget,
  choice: ChoiceWidget,
  toggle: ToggleWidget,
  range: RangeWidget,
  amount: AmountWidget,
  seed: SeedWidget,
  line: LineWidget,
  words: WordsWidget,
};
const NONE: readonly string[] = [];

export interface SchemaFormProps {
  context: FormContext;
  /** The catalog's. */
  revision: string;
  /** What the server has to say, by JSON pointer. */
  issues: readonly Issue[];
  onSubmit: () => void;
  /** Under the fields, always in sight: the submit bar. */
  foot: ReactNode;
  /** After the fields. */
  children: ReactNode;
}

/** The form that an architecture's `input_schema` makes. What is wrong is said after a submit, until the field is changed. */
export function SchemaForm({ context, revision, issues, onSubmit, foot, children }: SchemaFormProps) {
  const { entry, config, setField } = context;
  const modelId = modelOf(entry, config);
  const fields = useMemo(() => toForm(entry, modelId), [entry, modelId]);
  const validate = useValidator(entry, revision);
  const [refused, setRefused] = useState({ config, faults: new Map<string, string>() });
  const told = useMemo(() => issuesByField(issues), [issues]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const faults = faultsByField(validate(setFields(config)));
    setRefused({ config, faults });
    if (faults.size === 0) onSubmit();
    else focusField([...faults.keys()][0] ?? '');
  };
  const faultsOf = (name: string): readonly string[] => {
    const own = refused.config[name] === config[name] ? refused.faults.get(name) : undefined;
    return own ? [own] : (told.get(name) ?? NONE);
  };
  const draw = ({ name, schema, options }: FormField) => {
    if (options.widget === 'hidden') return null;
    const Widget = WIDGETS[options.widget];
    const props: WidgetProps = {
      id: `create_${name}`,
      name,
      value: config[name],
      schema,
      options,
      context,
      faults: faultsOf(name),
      onChange: value => setField(name, value),
    };
    return (
      <FieldFrame key={name} field={props}>
        <Widget {...props} />
      </FieldFrame>
    );
  };

  const [prompt, ...main] = fields.filter(({ options }) => options.group === 'main');
  const media = fields.filter(({ options }) => options.group === 'media');
  const advanced = fields.filter(({ options }) => options.group === 'advanced' && options.widget !== 'hidden');
  const isChanged = ({ name }: FormField) => (config[name] ?? null) !== (entry.base_config[name] ?? null);
  const changed = advanced.filter(isChanged).length;
  return (
    <form id="create" noValidate onSubmit={submit} className="flex min-h-full flex-col gap-5">
      {prompt && draw(prompt)}
      {media.length > 0 && (
        <fieldset aria-label="Media" className="flex min-w-0 flex-wrap gap-2">
          {media.map(draw)}
        </fieldset>
      )}
      <ArchitectureSwitch entry={entry} />
      {main.map(draw)}
      {advanced.length > 0 && (
        <details className="group border-t pt-3">
          <summary className="flex min-h-8 list-none items-center gap-2 rounded-sm text-sm text-soft">
            <ChevronRight className="size-4 text-faint transition-transform group-open:rotate-90" aria-hidden />
            More settings
            {changed > 0 && <span className="text-xs text-accent-ink">{changed} changed</span>}
          </summary>
          <div className="grid gap-5 pt-3">{advanced.map(draw)}</div>
        </details>
      )}
      {children}
      <div className="sticky bottom-0 z-20 -mx-6 mt-auto border-t bg-raised px-6 pt-3 pb-2 max-lg:-bottom-6 max-lg:-mb-6 lg:-mx-5 lg:bg-paper lg:px-5">
        {foot}
      </div>
    </form>
  );
}

function focusField(name: string) {
  const field = document.querySelector(`[data-field="${CSS.escape(name)}"]`);
  field?.querySelector<HTMLElement>('textarea, input, select, button')?.focus();
}
