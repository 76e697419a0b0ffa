import type { Config } from '#components/studio/config';
import type { Mentionable } from '#components/studio/mentionables';
import type { FieldOptions, FieldSchema } from '#components/studio/to-form';
import type { MediaUploads } from '#components/studio/use-media-uploads';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

/** What widgets know besides their own value. */
export interface FormContext {
  entry: CatalogEntry;
  config: Config;
  setField: (name: string, value: unknown) => void;
  /** Adds as many of the media to a field as it takes. */
  addMedia: (field: string, urls: readonly string[]) => void;
  uploads: MediaUploads;
  mentionables: readonly Mentionable[];
  /** Whether the selected variant takes mentions of any kind. */
  canMention: boolean;
  /** Handles that the server knows but the account does not own: public characters of other users. */
  foreign: ReadonlySet<string>;
  /** Called with whether a mention is being typed; the prompt should not be judged meanwhile. */
  onMentioning: (is: boolean) => void;
}

/** Props of the control of a field. */
export interface WidgetProps {
  /** Id of the element that the label refers to. */
  id: string;
  name: string;
  value: unknown;
  schema: FieldSchema;
  options: FieldOptions;
  context: FormContext;
  /** What is wrong with the value, in sentences. */
  faults: readonly string[];
  onChange: (value: unknown) => void;
}

/** Ids of the texts below a control, for `aria-describedby`; `FieldFrame` renders those texts. */
export const hintId = (id: string) => `${id}__hint`;
export const errorId = (id: string) => `${id}__error`;

/** Returns the ARIA attributes of the control of a field. */
export const described = ({ id, faults }: Pick<WidgetProps, 'id' | 'faults'>) => ({
  'aria-describedby': faults.length ? `${errorId(id)} ${hintId(id)}` : hintId(id),
  'aria-invalid': faults.length ? true : undefined,
});
