import type { RJSFSchema, WidgetProps } from '@rjsf/utils';
import type { Config } from '#components/studio/config';
import type { Mentionable } from '#components/studio/mentionables';
import type { FieldOptions } from '#components/studio/to-form';
import type { MediaUploads } from '#components/studio/use-media-uploads';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

/** What widgets know beside their own value. */
export interface FormContext {
  entry: CatalogEntry;
  config: Config;
  setField: (name: string, value: unknown) => void;
  uploads: MediaUploads;
  mentionables: readonly Mentionable[];
  /** Handles that the server knows though they are not among our own: public characters of others. */
  foreign: ReadonlySet<string>;
}

export type StudioWidgetProps = WidgetProps<Config, RJSFSchema, FormContext>;

/** From the uiSchema itself: RJSF keeps the title to itself. */
export const fieldOptions = ({ uiSchema }: Pick<StudioWidgetProps, 'uiSchema'>) =>
  uiSchema?.['ui:options'] as unknown as FieldOptions;

export const contextOf = ({ registry }: Pick<StudioWidgetProps, 'registry'>) => registry.formContext;

/** Ids of the texts under a control, for `aria-describedby`; the field template writes them. */
export const hintId = (id: string) => `${id}__hint`;
export const errorId = (id: string) => `${id}__error`;

/** What every control of a field carries. */
export const described = ({ id, rawErrors }: Pick<StudioWidgetProps, 'id' | 'rawErrors'>) => ({
  'aria-describedby': rawErrors?.length ? `${errorId(id)} ${hintId(id)}` : hintId(id),
  'aria-invalid': rawErrors?.length ? true : undefined,
});
