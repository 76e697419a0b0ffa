import type { Architecture } from '#lib/catalog/catalog-file';
import type { FieldRole } from '#lib/catalog/file-shape';

const MEDIA: readonly FieldRole[] = ['first_frame', 'last_frame', 'reference', 'mask', 'source_video'];

/** Which of others does most of what an architecture did: makes the same kind of media from the same inputs, then for a like price. */
export function nearestTo(architecture: Architecture, others: readonly Architecture[]): Architecture | undefined {
  const alike = others.filter(({ type, id }) => type === architecture.type && id !== architecture.id);
  const distance = ({ roles, price }: Architecture) =>
    MEDIA.filter(role => Boolean(roles[role]) !== Boolean(architecture.roles[role])).length * 10 +
    Math.abs(Math.log(price.gems / architecture.price.gems));
  return alike.toSorted((a, b) => distance(a) - distance(b))[0];
}
