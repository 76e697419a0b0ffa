'use client';

import { useEffect, useMemo, type ReactNode } from 'react';
// imported by its own path, because the package's index includes a whole validator
import Form from '@rjsf/core/lib/components/Form.js';
import type { ErrorSchema, RJSFSchema, RJSFValidationError } from '@rjsf/utils';
import { isRecipe, modelOf, type Config } from '#components/studio/config';
import { faultsByField, issuesByField } from '#components/studio/field-faults';
import type { FormContext } from '#components/studio/form-context';
import { FieldTemplate, ObjectFieldTemplate, toWidget } from '#components/studio/form-templates';
import { MediaListWidget, MediaWidget } from '#components/studio/media-widgets';
import { PromptWidget } from '#components/studio/prompt-widget';
import { toForm, toFormSchema } from '#components/studio/to-form';
import { ChipsWidget, ChoiceWidget, RatioWidget } from '#components/studio/token-widgets';
import { useValidator } from '#components/studio/use-validator';
import {
  AmountWidget,
  LineWidget,
  LinesWidget,
  RangeWidget,
  SeedWidget,
  ToggleWidget,
  WordsWidget,
} from '#components/studio/value-widgets';
import { useIsListening } from '#components/ui/use-is-listening';
import type { Issue } from '#lib/errors';

const WIDGETS = {
  prompt: toWidget(PromptWidget),
  media: toWidget(MediaWidget),
  mediaList: toWidget(MediaListWidget),
  ratio: toWidget(RatioWidget),
  chips: toWidget(ChipsWidget),
  choice: toWidget(ChoiceWidget),
  toggle: toWidget(ToggleWidget),
  range: toWidget(RangeWidget),
  amount: toWidget(AmountWidget),
  seed: toWidget(SeedWidget),
  line: toWidget(LineWidget),
  lines: toWidget(LinesWidget),
  words: toWidget(WordsWidget),
};
/** Id of the form, and prefix of the ids of its fields. */
const ID = 'create';
const TEMPLATES = { FieldTemplate, ObjectFieldTemplate };
/** The config already contains the defaults. */
const NO_DEFAULTS = { emptyObjectFields: 'skipDefaults' } as const;

interface SchemaFormProps {
  context: FormContext;
  /** Revision of the catalog. */
  revision: string;
  /** Issues that the server reported, by JSON pointer. */
  issues: readonly Issue[];
  onSubmit: () => void;
  /** Shown below the fields and always visible: the submit bar. */
  foot: ReactNode;
  /** Shown after the fields. */
  children?: ReactNode;
}

/** The form generated from an architecture's `input_schema`. Faults appear on submit, until the field is changed. */
export function SchemaForm({ context, revision, issues, onSubmit, foot, children }: SchemaFormProps) {
  const { entry, config, setField } = context;
  const modelId = modelOf(entry, config);
  const schema = useMemo(() => toFormSchema(entry) as RJSFSchema, [entry]);
  const uiSchema = useMemo(() => toUiSchema(toForm(entry, modelId)), [entry, modelId]);
  const told = useMemo(() => toErrorSchema(issues), [issues]);
  const validator = useValidator(entry, revision);
  const isListening = useIsListening();
  useEffect(() => {
    // `autofocus` had no effect while the form was inert
    if (isListening && document.activeElement === document.body) focusFirst();
  }, [isListening]);
  // only this field is applied: the library's copy of the others may be older than a finished upload
  const change = (next: Config = {}, id = '') => {
    const name = id.slice(`${ID}_`.length);
    if (Object.hasOwn(schema.properties ?? {}, name)) setField(name, next[name]);
  };
  return (
    <div inert={!isListening} className="contents">
      <Form<Config, RJSFSchema, FormContext>
        id={ID}
        idPrefix={ID}
        schema={schema}
        uiSchema={uiSchema}
        validator={validator}
        formData={config}
        formContext={context}
        widgets={WIDGETS}
        templates={TEMPLATES}
        extraErrors={told}
        experimental_defaultFormStateBehavior={NO_DEFAULTS}
        transformErrors={inPlainWords}
        showErrorList={false}
        noHtml5Validate
        focusOnFirstError={focusField}
        onError={toldByFields}
        onChange={({ formData }, id) => change(formData, id)}
        onSubmit={onSubmit}
        className="flex min-h-full flex-col gap-5"
      >
        {children}
        <div className={isRecipe(entry) ? 'recipe-foot' : 'composer-foot'}>{foot}</div>
      </Form>
    </div>
  );
}

const toUiSchema = (fields: ReturnType<typeof toForm>) => ({
  'ui:order': fields.map(({ name }) => name),
  ...Object.fromEntries(fields.map(({ name, options }) => [name, { 'ui:options': options }])),
});

const toErrorSchema = (issues: readonly Issue[]): ErrorSchema<Config> =>
  Object.fromEntries([...issuesByField(issues)].map(([name, list]) => [name, { __errors: list }]));

/** Reduces the errors to one per field, in plain words. */
function inPlainWords(errors: RJSFValidationError[]): RJSFValidationError[] {
  const told = faultsByField(
    errors.map(({ name = '', property = '', params = {}, message = '' }) => ({
      keyword: name,
      instancePath: `/${property.replace(/^\./, '').replaceAll('.', '/')}`,
      params,
      message,
    })),
  );
  return [...told].map(([name, message]) => ({ name, property: `.${name}`, message, stack: message }));
}

/** Without an error listener the library logs to the console. */
const toldByFields = () => {};

const focusFirst = () => document.querySelector<HTMLElement>(`#${ID} [autofocus]`)?.focus({ preventScroll: true });

function focusField({ property = '' }: RJSFValidationError) {
  const field = document.querySelector(`[data-field="${CSS.escape(property.slice(1))}"]`);
  const fold = field?.closest('details');
  // a control inside a closed fold cannot take the focus
  if (fold) fold.open = true;
  // the reset button of a changed field comes before its control, so buttons are only the fallback
  const control = field?.querySelector<HTMLElement>('textarea, input, select') ?? field?.querySelector('button');
  control?.focus();
  // focusing ignores scroll margins: a visible control would stay where a bar covers the message below it
  control?.scrollIntoView({ block: 'nearest' });
}
