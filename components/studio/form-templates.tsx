import type {
  FieldTemplateProps,
  ObjectFieldTemplateProps,
  RJSFSchema,
  UiSchema,
  WidgetProps as Given,
} from '@rjsf/utils';
import { useEffect, useRef, type ComponentType, type ReactNode } from 'react';
import { ChevronRight } from 'lucide-react';
import { ArchitectureSwitch } from '#components/studio/architecture-switch';
import { isRecipe, type Config } from '#components/studio/config';
import { FieldFrame } from '#components/studio/field-frame';
import type { FormContext, WidgetProps } from '#components/studio/form-context';
import { hasSourceVideo } from '#components/studio/media-use';
import type { FieldOptions, FieldSchema } from '#components/studio/to-form';
import { isSeconds } from '#components/studio/token-widgets';

type Ui = UiSchema<Config, RJSFSchema, FormContext> | undefined;

const optionsOf = (uiSchema: Ui) => uiSchema?.['ui:options'] as unknown as FieldOptions;

/** Wraps a control as a widget of the form library. */
export const toWidget = (Control: ComponentType<WidgetProps>) =>
  function Widget({
    id,
    name,
    value,
    schema,
    uiSchema,
    registry,
    rawErrors = [],
    onChange,
  }: Given<Config, RJSFSchema, FormContext>) {
    return (
      <Control
        id={id}
        name={name}
        value={value}
        schema={schema as FieldSchema}
        options={optionsOf(uiSchema)}
        context={registry.formContext}
        faults={rawErrors}
        onChange={onChange}
      />
    );
  };

export function FieldTemplate(props: FieldTemplateProps<Config, RJSFSchema, FormContext>) {
  const { id, children, rawErrors = [], hidden, uiSchema, schema, registry, formData, fieldPathId, onChange } = props;
  if (hidden) return <div hidden>{children}</div>;
  // the library renders the form itself as a field, too
  if (schema.type === 'object') return children;
  const field: WidgetProps = {
    id,
    name: String(fieldPathId.path.at(-1)),
    value: formData,
    schema: schema as FieldSchema,
    options: optionsOf(uiSchema),
    context: registry.formContext,
    faults: rawErrors,
    onChange: value => onChange(value as Config, fieldPathId.path),
  };
  return (
    <FieldFrame field={field}>
      {isFollowed(field) ? (
        <output id={id} className="text-sm text-soft">
          As in the source video
        </output>
      ) : (
        children
      )}
    </FieldFrame>
  );
}

/** Whether the output takes this setting from the source video, whatever its value. */
const isFollowed = ({ name, options, context: { entry, config } }: WidgetProps) =>
  entry.source_video?.output_follows &&
  (options.widget === 'ratio' || isSeconds(entry, name)) &&
  hasSourceVideo(entry, config);

export function ObjectFieldTemplate(props: ObjectFieldTemplateProps<Config, RJSFSchema, FormContext>) {
  const { properties, uiSchema, formData = {}, errorSchema = {}, registry } = props;
  const { entry } = registry.formContext;
  const group = (wanted: FieldOptions['group']) =>
    properties.filter(({ name, hidden }) => !hidden && optionsOf(uiSchema?.[name] as Ui)?.group === wanted);
  const media = group('media');
  if (isRecipe(entry)) return <RecipeInputs media={media} rest={properties.filter(one => !media.includes(one))} />;
  const [prompt, ...main] = group('main');
  const advanced = group('advanced');
  const isFaulty = advanced.some(({ name }) => {
    const { __errors: faults } = errorSchema[name] ?? {};
    return faults?.length;
  });
  const changed = advanced.filter(({ name }) => (formData[name] ?? null) !== (entry.base_config[name] ?? null)).length;
  return (
    <>
      {prompt?.content}
      <MediaRow media={media} />
      <ArchitectureSwitch entry={entry} />
      {main.map(({ content }) => content)}
      {advanced.length > 0 && (
        <More changed={changed} isFaulty={isFaulty}>
          {advanced.map(({ content }) => content)}
        </More>
      )}
    </>
  );
}

/** The fold with the advanced fields. It opens by itself when one of them has a fault. */
function More({ changed, isFaulty, children }: { changed: number; isFaulty: boolean; children: ReactNode }) {
  const fold = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (isFaulty && fold.current) fold.current.open = true;
  }, [isFaulty]);
  return (
    <details ref={fold} className="group border-t pt-3">
      <summary className="flex min-h-8 list-none items-center gap-2 rounded-sm text-sm text-soft pointer-coarse:min-h-11">
        <ChevronRight className="size-4 text-faint transition-transform group-open:rotate-90" aria-hidden />
        More settings
        {changed > 0 && <span className="text-xs text-accent-ink">{changed} changed</span>}
      </summary>
      <div className="grid gap-5 pt-3">{children}</div>
    </details>
  );
}

type Properties = ObjectFieldTemplateProps<Config, RJSFSchema, FormContext>['properties'];

const MediaRow = ({ media }: { media: Properties }) =>
  media.length > 0 && (
    <fieldset aria-label="Media" className="flex min-w-0 flex-wrap gap-2">
      {media.map(({ content }) => content)}
    </fieldset>
  );

/** The inputs of a recipe: its media, then the other fields in the order of its file. */
const RecipeInputs = ({ media, rest }: { media: Properties; rest: Properties }) => (
  <>
    <MediaRow media={media} />
    {rest.map(({ content }) => content)}
  </>
);
