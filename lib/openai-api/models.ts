import { catalog } from '#lib/catalog/catalog';
import type { Architecture } from '#lib/catalog/catalog-file';
import { AppError, invalid } from '#lib/errors';

/** Models have no date here; clients sort by one. */
const CREATED = Date.UTC(2026, 0, 1) / 1000;

export const toModel = ({ id }: Architecture) => ({ id, object: 'model', created: CREATED, owned_by: 'pomona' });

export const listModels = () => catalog().list();

/** The model of this id. Throws `architecture_not_found`, and says which there are. */
export function getModel(id: string, offered = listModels()): Architecture {
  const found = offered.find(one => one.id === id);
  if (found) return found;
  const all = offered.map(one => one.id).join(', ') || 'none';
  throw new AppError(
    'architecture_not_found',
    `There is no model ${JSON.stringify(id.slice(0, 80))} for this. There are: ${all}.`,
  );
}

/** The model that is asked for, or the first that can: of this kind, and taking pictures when there are some. */
export function chooseModel(id: string | null | undefined, type: Architecture['type'], pictures = 0): Architecture {
  const able = listModels().filter(one => one.type === type && (pictures === 0 || fieldsFor(one).length > 0));
  if (id) return getModel(id, able);
  if (able[0]) return able[0];
  throw new AppError('architecture_not_found', `No model here makes ${type} of that.`);
}

/** Puts pictures into the fields that take them. Throws `invalid_request` when there are more than it takes. */
export function withPictures(architecture: Architecture, pictures: readonly string[], param: string) {
  const [first, more] = fieldsFor(architecture);
  if (pictures.length === 0 || !first) return {};
  const [picture, ...others] = pictures;
  if (others.length > 0 && !more)
    throw invalid('invalid_request', [{ path: `/${param}`, message: `${architecture.id} takes one image.` }]);
  return { [first]: picture, ...(others.length > 0 && { [more!]: others }) };
}

/** A film begins with its picture; pictures and sounds are made after theirs. */
function fieldsFor({ type, roles }: Architecture): string[] {
  const references = [roles.reference, roles.additional_references];
  const fields = type === 'video' && roles.first_frame ? [roles.first_frame] : references;
  return fields.filter(field => field !== undefined);
}
