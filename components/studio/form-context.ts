import type { Config } from '#components/studio/config';
import type { Mentionable } from '#components/studio/mentionables';
import type { FieldOptions, FieldSchema } from '#components/studio/to-form';
import type { MediaUploads } from '#components/studio/use-media-uploads';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

/** What widgets know beside their own value. */
export interface FormContext {
  entry: CatalogEntry;
  config: Config;
  setField: (name: string, value: unknown) => void;
  /** Puts media into a field, as many as it takes. */
  addMedia: (field: string, urls: readonly string[]) => void;
  uploads: MediaUploads;
  mentionables: readonly Mentionable[];
  /** Whether what is chosen takes mentions of any kind. */
  canMention: boolean;
  /** Handles that the server knows though they are not among our own: public characters of others. */
  foreign: ReadonlySet<string>;
  /** Told whether a mention is being typed, which nobody should judge yet. */
  onMentioning: (is: boolean) => void;
}

/** What the control of a field is given. */
export interface WidgetProps {
  /** For the element that a label is of. */
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

/** Ids of the texts under a control, for `aria-describedby`; the frame of the field writes them. */
export const hintId = (id: string) => `${id}__hint`;
export const errorId = (id: string) => `${id}__error`;

/** What every control of a field carries. */
export const described = ({ id, faults }: Pick<WidgetProps, 'id' | 'faults'>) => ({
  'aria-describedby': faults.length ? `${errorId(id)} ${hintId(id)}` : hintId(id),
  'aria-invalid': faults.length ? true : undefined,
});
