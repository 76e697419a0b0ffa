import { comment, membersType, type Schema } from './schema-type.ts';
import type { Architecture } from './wire.ts';

/** The members of `Catalog`: the fields of each of these models. */
export function catalogMembers(architectures: readonly Architecture[]): string {
  const members = architectures.map(({ id, name, description, gems, input_schema, options_by_model }) => {
    const { properties, required } = input_schema as { properties: Record<string, Schema>; required: string[] };
    const fields = Object.entries(properties).map(([field, schema]) => {
      const words = [schema.description, ...narrowed(field, options_by_model)].filter(Boolean).join('. ');
      return [field, { ...schema, ...(words && { description: words }) }] as const;
    });
    const about = `${name}: ${description} ${gems} gems with the defaults.`;
    return `${comment(about)}${JSON.stringify(id)}: ${membersType(Object.fromEntries(fields), required)};`;
  });
  return members.join('\n').replaceAll(/^/gm, '  ');
}

const narrowed = (field: string, byModel: Architecture['options_by_model']) =>
  Object.entries(byModel).flatMap(([model, { [field]: tokens }]) =>
    tokens ? `${model} takes ${tokens.join(', ')}` : [],
  );

/** A file that adds the models of a deployment to those that the package knows. */
export const catalogFile = (
  architectures: readonly Architecture[],
): string => `import type { Media } from 'pomona-client';

declare module 'pomona-client' {
  interface Catalog {
${catalogMembers(architectures)}
  }
}
`;
