'use client';

import { useMemo, type ReactNode } from 'react';
import type { IChangeEvent } from '@rjsf/core';
// by its own path: the package's index brings a whole validator along
import Form from '@rjsf/core/lib/components/Form.js';
import type { ErrorSchema, RJSFSchema, RJSFValidationError, ValidatorType } from '@rjsf/utils';
import { modelOf, type Config } from '#components/studio/config';
import type { FormContext } from '#components/studio/form-context';
import { FieldTemplate, ObjectFieldTemplate } from '#components/studio/form-templates';
import { MediaListWidget, MediaWidget } from '#components/studio/media-widgets';
import { PromptWidget } from '#components/studio/prompt-widget';
import { toForm } from '#components/studio/to-form';
import { ChoiceWidget, RatioWidget, SegmentsWidget } from '#components/studio/token-widgets';
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
  segments: SegmentsWidget,
  choice: ChoiceWidget,
  toggle: ToggleWidget,
  range: RangeWidget,
  amount: AmountWidget,
  seed: SeedWidget,
  line: LineWidget,
  words: WordsWidget,
};
const TEMPLATES = { FieldTemplate, ObjectFieldTemplate };
/** Defaults are in the config already. */
const NO_DEFAULTS = { emptyObjectFields: 'skipDefaults' } as const;

export interface SchemaFormProps {
  context: FormContext;
  validator: ValidatorType<Config, RJSFSchema, FormContext>;
  /** What the server has to say, by JSON pointer. */
  issues: readonly Issue[];
  onChange: (config: Config) => void;
  onSubmit: (config: Config) => void;
  /** Over the fields. */
  head: ReactNode;
  /** Under the fields, always in sight: the submit bar. */
  foot: ReactNode;
}

/** The form that an architecture's `input_schema` makes. */
export function SchemaForm({ context, validator, issues, onChange, onSubmit, head, foot }: SchemaFormProps) {
  const { entry, config } = context;
  const modelId = modelOf(entry, config);
  const { schema, uiSchema } = useMemo(() => toForm(entry, modelId), [entry, modelId]);
  const extraErrors = useMemo(() => toErrorSchema(issues), [issues]);
  const given = ({ formData }: IChangeEvent<Config, RJSFSchema, FormContext>) => formData ?? {};
  return (
    <div className="flex min-h-full flex-col gap-4">
      <div className="grid gap-2 lg:px-8 lg:pt-8">{head}</div>
      <Form<Config, RJSFSchema, FormContext>
        id="create"
        idPrefix="create"
        schema={schema}
        uiSchema={uiSchema}
        validator={validator}
        formData={config}
        formContext={context}
        widgets={WIDGETS}
        templates={TEMPLATES}
        extraErrors={extraErrors}
        experimental_defaultFormStateBehavior={NO_DEFAULTS}
        transformErrors={inPlainWords}
        showErrorList={false}
        noHtml5Validate
        focusOnFirstError={focusField}
        onError={toldByFields}
        onChange={event => onChange(given(event))}
        onSubmit={event => onSubmit(given(event))}
        className="flex grow flex-col gap-6 [&>*:first-child]:lg:px-8"
      >
        <div className="sticky bottom-0 z-20 mt-auto border-t bg-paper px-5 pt-3 pb-2 max-md:bottom-[calc(3.5rem+env(safe-area-inset-bottom))] max-lg:-mx-5 lg:px-8">
          {foot}
        </div>
      </Form>
    </div>
  );
}

/** Issues deep in a field (an item of a list) are told at the field. */
function toErrorSchema(issues: readonly Issue[]): ErrorSchema<Config> {
  const messages: Record<string, string[]> = {};
  for (const { path, message } of issues) {
    const name = path.split('/')[1]?.replaceAll('~1', '/').replaceAll('~0', '~');
    if (name) (messages[name] ??= []).push(message);
  }
  return Object.fromEntries(Object.entries(messages).map(([name, list]) => [name, { __errors: list }]));
}

const WORDS: Record<string, (error: RJSFValidationError) => string> = {
  required: () => 'This is needed',
  minLength: () => 'This is needed',
  maxLength: ({ params }) => `At most ${params.limit} characters`,
  minimum: ({ params }) => `At least ${params.limit}`,
  maximum: ({ params }) => `At most ${params.limit}`,
  multipleOf: ({ params }) => `In steps of ${params.multipleOf}`,
  enum: () => 'Choose one of those offered',
  maxItems: ({ params }) => `At most ${params.limit}`,
  pattern: () => 'This cannot be used here',
};

/** One error for each field, in words; the prompt has its own. */
function inPlainWords(errors: RJSFValidationError[]): RJSFValidationError[] {
  const seen = new Set<string>();
  return errors.flatMap(error => {
    const property = error.property ?? '';
    if (seen.has(property)) return [];
    seen.add(property);
    const words = WORDS[error.name ?? '']?.(error) ?? error.message ?? 'This cannot be used';
    const message = property === '.prompt' && error.name !== 'maxLength' ? 'Say what to make' : words;
    return [{ ...error, message }];
  });
}

/** Without a listener the library writes to the console. */
const toldByFields = () => {};

function focusField({ property }: RJSFValidationError) {
  const name = property?.split('.')[1];
  const field = document.querySelector(`[data-field="${CSS.escape(name ?? '')}"]`);
  field?.querySelector<HTMLElement>('textarea, input, select, button')?.focus();
}
