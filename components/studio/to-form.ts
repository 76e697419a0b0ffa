import { isRatio } from '#components/studio/shapes';
import { toTitle } from '#components/ui/to-title';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import type { MediaKind } from '#lib/media-kind';

type WidgetName =
  | 'prompt'
  | 'media'
  | 'mediaList'
  | 'ratio'
  | 'chips'
  | 'choice'
  | 'toggle'
  | 'range'
  | 'amount'
  | 'seed'
  | 'line'
  | 'lines'
  | 'words'
  | 'hidden';

/** What the control and the frame of a field know about it. */
export interface FieldOptions {
  widget: WidgetName;
  /** `media` fields share one row of tiles, `advanced` fields are behind a fold. */
  group: 'main' | 'media' | 'advanced';
  title: string;
  description: string;
  /** Tokens that the selected variant accepts. */
  tokens?: string[];
  media?: MediaKind;
  maxItems?: number;
  /** Value that Reset restores. */
  base?: unknown;
}

type Property = Record<string, unknown>;

/** JSON Schema of a field: the keywords that controls read. */
export interface FieldSchema {
  type: string;
  minimum?: number;
  maximum?: number;
  multipleOf?: number;
  maxLength?: number;
}

export interface FormField {
  name: string;
  schema: FieldSchema;
  options: FieldOptions;
}

/** Returns the fields of an architecture's form in display order, as one of its variants narrows them. */
export function toForm(entry: CatalogEntry, modelId: string): FormField[] {
  const properties = Object.entries(entry.input_schema.properties);
  return order(properties).map(([name, property]) => ({
    name,
    schema: toProperty(property),
    options: optionsOf(entry, modelId, name, property),
  }));
}

/**
 * Returns the schema that validates a form. It depends on the entry alone, because its validator is compiled ahead of
 * time: no unknown members, no null (unset fields are left out), no defaults (`base_config` has them).
 */
export function toFormSchema({ id, input_schema: { properties, required } }: CatalogEntry) {
  return {
    $id: id,
    type: 'object',
    properties: Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, toProperty(property)])),
    required,
    additionalProperties: false,
  };
}

const KEYWORDS = [
  'enum',
  'minimum',
  'maximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'maxItems',
  'items',
  'title',
];

function toProperty(property: Property): FieldSchema {
  const kept = Object.entries(property).filter(([keyword]) => KEYWORDS.includes(keyword));
  return { type: typeOf(property), ...Object.fromEntries(kept) };
}

const typeOf = ({ type }: Property): string =>
  String(Array.isArray(type) ? (type.find(one => one !== 'null') ?? 'string') : type);

/** Default order of the fields that have no `x-order`. */
const USUAL = ['prompt', 'model_id', 'aspect_ratio', 'resolution', 'duration'];

function order(properties: [string, Property][]): [string, Property][] {
  const place = ([name, property]: [string, Property]) => {
    if (typeof property['x-order'] === 'number') return property['x-order'];
    if (name === 'seed') return 1000;
    const usual = USUAL.indexOf(name);
    if (property['x-media']) return 0.5;
    return usual < 0 ? 500 : usual;
  };
  return properties.toSorted((a, b) => place(a) - place(b));
}

function optionsOf(entry: CatalogEntry, modelId: string, name: string, property: Property): FieldOptions {
  const tokens = entry.options_by_model[modelId]?.[name] ?? entry.options[name];
  const media = property['x-media'] as FieldOptions['media'];
  const widget = widgetOf(name, property, tokens);
  return {
    widget,
    group: groupOf(entry, name, widget),
    title: typeof property.title === 'string' ? property.title : toTitle(name),
    description: typeof property.description === 'string' ? property.description : '',
    ...(tokens && { tokens }),
    ...(media && { media }),
    ...(typeof property.maxItems === 'number' && { maxItems: property.maxItems }),
    base: property.default ?? entry.base_config[name],
  };
}

/** Maximum number of tokens shown as chips; more are shown as a select. */
const CHIPS = 7;
const LONG_TEXT = 200;
/** Widest range shown as a slider; single values of a wider one are too hard to point at. */
const MOST_STEPS = 1000;

function widgetOf(name: string, property: Property, tokens: string[] | undefined): WidgetName {
  const type = typeOf(property);
  if (name === 'prompt') return 'prompt';
  if (name === 'seed') return 'seed';
  if (property['x-media']) return type === 'array' ? 'mediaList' : 'media';
  if (type === 'array') return 'lines';
  if (tokens?.length === 1) return 'hidden';
  if (tokens?.every(isRatio)) return 'ratio';
  if (tokens) return tokens.length <= CHIPS ? 'chips' : 'choice';
  if (type === 'boolean') return 'toggle';
  if (type === 'number' || type === 'integer')
    return Number(property.maximum) - Number(property.minimum) <= MOST_STEPS ? 'range' : 'amount';
  return Number(property.maxLength ?? Infinity) > LONG_TEXT ? 'words' : 'line';
}

/** Settings that change with each piece of work are in view; those set once are behind the fold. */
function groupOf(entry: CatalogEntry, name: string, widget: WidgetName): FieldOptions['group'] {
  if (widget === 'media' || widget === 'mediaList') return 'media';
  const usual = [
    ...USUAL,
    entry.character_voices_switch,
    entry.price.seconds?.field,
    ...Object.keys(entry.price.factors),
  ];
  if (usual.includes(name) || widget === 'ratio') return 'main';
  return widget === 'toggle' && /audio|sound/.test(name) ? 'main' : 'advanced';
}
