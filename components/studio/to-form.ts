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

/** What the control and the frame of a field are told of it. */
export interface FieldOptions {
  widget: WidgetName;
  /** `media` stands in one row of tiles, `advanced` behind a fold. */
  group: 'main' | 'media' | 'advanced';
  title: string;
  description: string;
  /** Those that the chosen variant accepts. */
  tokens?: string[];
  media?: MediaKind;
  maxItems?: number;
  /** What reset goes back to. */
  base?: unknown;
}

type Property = Record<string, unknown>;

/** What a field accepts, as JSON Schema: the keywords that controls read. */
export interface FieldSchema {
  type: string;
  minimum?: number;
  maximum?: number;
  multipleOf?: number;
  maxLength?: number;
}

/** A field of a form. */
export interface FormField {
  name: string;
  schema: FieldSchema;
  options: FieldOptions;
}

/** The fields of an architecture's form in their order, as one of its variants narrows them. */
export function toForm(entry: CatalogEntry, modelId: string): FormField[] {
  const properties = Object.entries(entry.input_schema.properties);
  return order(properties).map(([name, property]) => ({
    name,
    schema: toProperty(property),
    options: optionsOf(entry, modelId, name, property),
  }));
}

/**
 * The schema that a form is judged by. It is of the entry alone, because its validator is compiled ahead: no unknown members, no
 * null (a field that is not set is left out), no defaults (`base_config` has them).
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

/** Places that `x-order` does not name come in the order that forms have. */
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

/** More tokens than this are a list to choose from. */
const CHIPS = 7;
const LONG_TEXT = 200;
/** Nobody points at one of more. */
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

/** What people set for each piece of work is in view; what they set once is behind the fold. */
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
