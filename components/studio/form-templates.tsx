'use client';

import type { FieldTemplateProps, ObjectFieldTemplateProps, RJSFSchema } from '@rjsf/utils';
import { ChevronRight } from 'lucide-react';
import type { Config } from '#components/studio/config';
import { errorId, hintId, type FormContext } from '#components/studio/form-context';
import type { FieldOptions } from '#components/studio/to-form';
import { cn } from '#components/ui/cn';

const optionsOf = (uiSchema: Record<string, unknown> | undefined) =>
  (uiSchema?.['ui:options'] ?? { group: 'main', widget: 'line', title: '', description: '' }) as FieldOptions;

/** Controls that are one element get a label of their own; groups of radio buttons carry their name themselves. */
const LABELLED = ['prompt', 'choice', 'range', 'amount', 'seed', 'line', 'words'];

export function FieldTemplate(props: FieldTemplateProps<Config, RJSFSchema, FormContext>) {
  const { id, children, rawErrors = [], hidden, uiSchema, schema, registry, formData, fieldPathId } = props;
  if (hidden) return <div hidden>{children}</div>;
  // the form itself is a field as well
  if (schema.type === 'object') return children;
  const { widget, group, title, description, base } = optionsOf(uiSchema);
  const { setField } = registry.formContext;
  const name = String(fieldPathId.path.at(-1));
  const isChanged = base !== undefined && (formData as unknown) !== base;
  const isTile = group === 'media';
  const label = widget !== 'toggle' && !isTile && (
    <span className="flex min-h-5 items-baseline justify-between gap-4">
      {LABELLED.includes(widget) ? (
        <label htmlFor={id} className="text-sm font-medium">
          {title}
        </label>
      ) : (
        <span className="text-sm font-medium" aria-hidden>
          {title}
        </span>
      )}
      {isChanged && group === 'advanced' && (
        <button
          type="button"
          onClick={() => setField(name, base)}
          className="text-xs text-faint underline underline-offset-2 hover:text-ink"
        >
          Reset<span className="sr-only"> {title} to its default</span>
        </button>
      )}
    </span>
  );
  return (
    <div className={isTile ? 'contents' : 'grid content-start gap-1.5'} data-field={name}>
      {label}
      {children}
      <p id={hintId(id)} className={group === 'advanced' ? 'text-xs text-faint' : 'sr-only'}>
        {description}
      </p>
      {rawErrors.length > 0 && (
        <p id={errorId(id)} role="alert" className={cn('text-xs font-medium text-danger', isTile && 'basis-full')}>
          {rawErrors.map(asSentence).join(' ')}
        </p>
      )}
    </div>
  );
}

const asSentence = (text: string) => {
  const words = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(words) ? words : `${words}.`;
};

export function ObjectFieldTemplate(props: ObjectFieldTemplateProps<Config, RJSFSchema, FormContext>) {
  const { properties, uiSchema, formData = {}, registry } = props;
  const { entry } = registry.formContext;
  const optionsFor = (name: string) => optionsOf(uiSchema?.[name] as Record<string, unknown> | undefined);
  const group = (wanted: FieldOptions['group']) =>
    properties.filter(({ name, hidden }) => !hidden && optionsFor(name).group === wanted);
  const main = group('main');
  const advanced = group('advanced');
  const changed = advanced.filter(({ name }) => formData[name] !== entry.base_config[name]).length;
  return (
    <div className="grid gap-6">
      {main.slice(0, 1).map(({ content }) => content)}
      {group('media').length > 0 && (
        <fieldset aria-label="Media" className="flex min-w-0 flex-wrap gap-2">
          {group('media').map(({ content }) => content)}
        </fieldset>
      )}
      {main.slice(1).map(({ content }) => content)}
      {advanced.length > 0 && (
        <details className="group border-t pt-4">
          <summary className="flex list-none items-center gap-2 rounded-sm text-sm font-medium">
            <ChevronRight className="size-4 text-faint transition-transform group-open:rotate-90" aria-hidden />
            Advanced
            {changed > 0 && <span className="text-xs font-normal text-accent-ink">{changed} changed</span>}
          </summary>
          <div className="grid gap-6 pt-5">{advanced.map(({ content }) => content)}</div>
        </details>
      )}
      {group('seed').map(({ content }) => content)}
    </div>
  );
}
