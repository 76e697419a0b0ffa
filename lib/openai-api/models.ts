import { catalog } from '#lib/catalog/catalog';
import type { Architecture } from '#lib/catalog/catalog-file';
import { AppError, invalid } from '#lib/errors';

/** Creation date of every model: models have no date here, but clients sort by it. */
const CREATED = Date.UTC(2026, 0, 1) / 1000;

export const toModel = ({ id }: Architecture) => ({ id, object: 'model', created: CREATED, owned_by: 'pomona' });

export const listModels = () => catalog().list();

/** Returns the model with this id. Throws `architecture_not_found`, whose message lists the models offered. */
export function getModel(id: string, offered = listModels()): Architecture {
  const found = offered.find(one => one.id === id);
  if (found) return found;
  const all = offered.map(one => one.id).join(', ') || 'none';
  throw new AppError(
    'architecture_not_found',
    `There is no model ${JSON.stringify(id.slice(0, 80))} for this. There are: ${all}.`,
  );
}

/** Returns the model asked for, or the first one of this type, with image inputs when images are given. */
export function chooseModel(id: string | null | undefined, type: Architecture['type'], pictures = 0): Architecture {
  const able = listModels().filter(one => one.type === type && (pictures === 0 || fieldsFor(one).length > 0));
  if (id) return getModel(id, able);
  if (able[0]) return able[0];
  throw new AppError('architecture_not_found', `No model here makes ${type} of that.`);
}

/** Assigns images to the fields that take them. Throws `invalid_request` when the model takes fewer images. */
export function withPictures(architecture: Architecture, pictures: readonly string[], param: string) {
  const [first, more] = fieldsFor(architecture);
  if (pictures.length === 0 || !first) return {};
  const [picture, ...others] = pictures;
  if (others.length > 0 && !more)
    throw invalid('invalid_request', [{ path: `/${param}`, message: `${architecture.id} takes one image.` }]);
  return { [first]: picture, ...(others.length > 0 && { [more!]: others }) };
}

/** Fields for input images: the first frame of a video where the model has one, otherwise the reference images. */
function fieldsFor({ type, roles }: Architecture): string[] {
  const references = [roles.reference, roles.additional_references];
  const fields = type === 'video' && roles.first_frame ? [roles.first_frame] : references;
  return fields.filter(field => field !== undefined);
}
