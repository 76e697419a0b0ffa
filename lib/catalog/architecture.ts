import type { PriceRule } from '#lib/catalog/price';

/** What a field does. Code knows fields by their role, so an architecture may name them as it likes. */
export type FieldRole =
  | 'first_frame'
  | 'last_frame'
  | 'reference'
  | 'additional_references'
  | 'source_video'
  | 'aspect_ratio'
  | 'resolution'
  | 'duration'
  | 'sound'
  | 'sample_rate'
  | 'character_voices';

export type Token = string | number;

/** One member of a generate body, in the words of JSON Schema. */
export interface Field {
  type: 'string' | 'number' | 'integer' | 'boolean' | 'array';
  /** null is accepted too, and is the default. */
  nullable?: boolean;
  title: string;
  description: string;
  role?: FieldRole;
  /** Set on fields that take a file: an https URL, an upload URL or a data URL (or a list of them). */
  media?: 'image' | 'video' | 'audio';
  default?: Token | boolean;
  enum?: Token[];
  examples?: string[];
  minimum?: number;
  maximum?: number;
  /** 1 for whole numbers. */
  multipleOf?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  maxItems?: number;
}

/** Input media that exclude each other; `audio_reference` comes from mentions only. */
export type ExclusiveRole = 'first_frame' | 'last_frame' | 'reference' | 'audio_reference';

/** `from` and `to` seconds, both included. */
export type Seconds = [from: number, to: number];

/** What a source video may be and what it changes. */
export interface SourceVideoRule {
  seconds: Seconds;
  secondsByModel: Record<string, Seconds>;
  /** The variants that take one; every variant when left out. */
  models?: string[];
  /** Most reference images beside a source video. */
  maxImages?: number;
  /** Most seconds of source video and `duration` together. */
  maxTotalSeconds?: number;
  /** The output has the length and the shape of the source video; duration and aspect ratio of the config are not used. */
  outputFollows: boolean;
}

export interface OutputRule {
  /** `area`: about side × side pixels at exactly the aspect ratio. `short_side`: the shorter side is `side`. */
  fit: 'area' | 'short_side';
  /** Pixels, or pixels for each resolution token. */
  side: number | Record<string, number>;
  /** Sides are multiples of this. */
  multiple: number;
  fps: number;
  /** Fixed length in frames, for architectures without a duration. */
  frames?: number;
  /** Whether the output carries sound, where no field switches it. */
  sound: boolean;
}

export type MentionKind = 'characters' | 'references' | 'audioReferences';

/** One entry of the catalog: everything the service knows about a model. */
export interface Architecture {
  id: string;
  name: string;
  type: 'image' | 'video' | 'audio';
  description: string;
  state: 'live' | 'retired';
  /** Place in lists, lowest first. */
  order: number;
  modelIds: string[];
  defaultModelId: string;
  /** In the order of the form: prompt first, seed last. */
  fields: Record<string, Field>;
  /** Field names by what they do. */
  roles: Partial<Record<FieldRole, string>>;
  /** Field → model → the tokens that this variant accepts, where they are fewer than the field's own. */
  optionsByModel: Record<string, Record<string, Token[]>>;
  /** The variants that take each kind of mention. */
  mentions: Record<MentionKind, string[]> & { characterVoices: boolean };
  /** Most reference images, of fields and mentions together; first and last frames do not count. */
  maxImages: number;
  maxImagesByModel: Record<string, number>;
  maxAudioReferences: number;
  /** Of two groups that both have media in one request, one is too many. */
  exclusive: ExclusiveRole[][];
  sourceVideo: SourceVideoRule | null;
  output: OutputRule | null;
  price: PriceRule;
}

/** The tokens that a variant accepts in a field; undefined where the field has no list of tokens. */
export function tokensOf(
  { fields, optionsByModel }: Pick<Architecture, 'fields' | 'optionsByModel'>,
  field: string,
  modelId: string,
): Token[] | undefined {
  return optionsByModel[field]?.[modelId] ?? fields[field]?.enum;
}

export type Defaults = Record<string, Token | boolean>;

/**
 * The default config of a variant: where it does not accept the architecture's default, its own first token. Works on the
 * wire entry as well: `variantDefaults(entry.base_config, entry.options_by_model, modelId)`.
 */
export function variantDefaults(
  baseConfig: Readonly<Defaults>,
  optionsByModel: Architecture['optionsByModel'],
  modelId: string,
): Defaults {
  const defaults = Object.entries(baseConfig).map(([name, value]) => {
    const tokens: (Token | boolean)[] | undefined = optionsByModel[name]?.[modelId];
    return [name, tokens && !tokens.includes(value) ? tokens[0] : value];
  });
  return { ...Object.fromEntries(defaults), model_id: modelId };
}

export function defaultsOf(
  { fields, optionsByModel }: Pick<Architecture, 'fields' | 'optionsByModel'>,
  modelId: string,
): Defaults {
  const base = Object.entries(fields).flatMap(([name, field]) =>
    field.default === undefined ? [] : [[name, field.default]],
  );
  return variantDefaults(Object.fromEntries(base), optionsByModel, modelId);
}

export const maxImagesOf = ({ maxImages, maxImagesByModel }: Architecture, modelId: string): number =>
  maxImagesByModel[modelId] ?? maxImages;

/** Whether a variant takes mentions of this kind. */
export const takesMentions = ({ mentions }: Architecture, kind: MentionKind, modelId: string): boolean =>
  mentions[kind].includes(modelId);
