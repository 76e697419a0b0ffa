import type { Architecture } from '#lib/catalog/catalog-file';
import type { FieldRole } from '#lib/catalog/file-shape';

const MEDIA: readonly FieldRole[] = ['first_frame', 'last_frame', 'reference', 'mask', 'source_video'];

/** Returns the best substitute for an architecture: of the same type, with the most similar inputs, then price. */
export function nearestTo(architecture: Architecture, others: readonly Architecture[]): Architecture | undefined {
  const alike = others.filter(({ type, id }) => type === architecture.type && id !== architecture.id);
  const distance = ({ roles, price }: Architecture) =>
    MEDIA.filter(role => Boolean(roles[role]) !== Boolean(architecture.roles[role])).length * 10 +
    Math.abs(Math.log(price.gems / architecture.price.gems));
  return alike.toSorted((a, b) => distance(a) - distance(b))[0];
}
