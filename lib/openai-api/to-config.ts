import { defaultsOf, tokensOf } from '#lib/catalog/architecture';
import type { Architecture } from '#lib/catalog/catalog-file';
import type { Field, FieldRole } from '#lib/catalog/file-shape';
import { outputOf } from '#lib/catalog/output-of';
import { invalid } from '#lib/errors';
import { mustBe } from '#lib/issue';
import { nearestToken } from '#lib/output-spec';

/** Position of each quality among the resolutions of a model, from 0 (lowest) to 1 (highest), as in the docs. */
const RESOLUTION_OF = { low: 0, medium: 0.5, standard: 0.5, high: 1, hd: 1, xhigh: 1, max: 1, auto: null } as const;
type Quality = keyof typeof RESOLUTION_OF;
export const QUALITIES = Object.keys(RESOLUTION_OF) as [Quality, ...Quality[]];

/** Output parameters of a client, in the terms of the OpenAI API. */
interface Wanted {
  /** Width and height in pixels, such as `1024x1536`. */
  size?: string | null | undefined;
  quality?: Quality | null | undefined;
  background?: unknown;
  seconds?: number | null | undefined;
  /** Fields of the model itself, which take precedence. */
  own?: Record<string, unknown>;
}

const OPAQUE = 'auto or opaque, as this model makes no transparent images';

/**
 * Returns a config for the parameters: the nearest aspect ratio, the resolution of the quality (or nearest to the
 * size), and the shortest duration that is long enough, or the longest. Throws `invalid_request` for a transparent
 * background, unless the model has a field of that name.
 */
export function toConfig(architecture: Architecture, { size, quality, background, seconds, own = {} }: Wanted) {
  if (background === 'transparent' && own.background === undefined)
    throw invalid('invalid_request', [mustBe('/background', OPAQUE, background)]);
  const modelId = typeof own.model_id === 'string' ? own.model_id : architecture.default_model_id;
  const config: Record<string, string> = {};
  const tokensFor = (role: FieldRole) => tokensOf(architecture, architecture.roles[role] ?? '', modelId) ?? [];
  const set = (role: FieldRole, token: string | undefined) => {
    if (token !== undefined) config[architecture.roles[role]!] = token;
  };
  const [width = 0, height = 0] = size?.split('x').map(Number) ?? [];

  if (size) set('aspect_ratio', nearestToken(tokensFor('aspect_ratio'), width / height));
  const place = quality ? RESOLUTION_OF[quality] : null;
  const resolutions = tokensFor('resolution');
  if (place !== null) set('resolution', resolutions[Math.floor(place * (resolutions.length - 1))]);
  else if (size) {
    const areaWith = (resolution: string) => {
      const field = architecture.roles.resolution!;
      const output = outputOf(architecture, { ...defaultsOf(architecture, modelId), ...config, [field]: resolution });
      return output.width * output.height;
    };
    set('resolution', nearestToken(resolutions, width * height, areaWith));
  }
  if (seconds) set('duration', nextUp(tokensFor('duration'), seconds));
  return { ...config, ...own };
}

/** Returns the members of a body that are fields of the model, such as seed and guidance. */
export const ownFields = ({ fields }: Architecture, body: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) =>
      Object.hasOwn(fields, name) && value !== null ? [[name, asTyped(fields[name]!, value)]] : [],
    ),
  );

/** Converts the text of a form value to a number or boolean where the field has that type. */
function asTyped({ type }: Field, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (type === 'boolean' && ['true', 'false'].includes(value)) return value === 'true';
  const isNumber = ['number', 'integer'].includes(type) && value.trim() !== '' && Number.isFinite(Number(value));
  return isNumber ? Number(value) : value;
}

const nextUp = (tokens: readonly string[], seconds: number): string | undefined =>
  tokens.find(token => Number(token) >= seconds) ?? tokens.at(-1);
