import { comment, membersType, sentences, type Schema } from './schema-type.ts';
import type { Architecture } from './wire.ts';

/** Returns the members of a catalog interface as TypeScript source: the fields of each model, by architecture id. */
export function catalogMembers(architectures: readonly Architecture[]): string {
  const members = architectures.map(({ id, name, description, gems, input_schema, options_by_model }) => {
    const { properties, required } = input_schema as { properties: Record<string, Schema>; required: string[] };
    const fields = Object.entries(properties).map(([field, schema]) => {
      const words = sentences([schema.description, ...narrowed(field, options_by_model)]);
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

/** Returns a declaration file for the models of a deployment, which take precedence over those of the package. */
export const catalogFile = (
  architectures: readonly Architecture[],
): string => `import type { Media } from 'pomona-client';

declare module 'pomona-client' {
  interface DeploymentCatalog {
${catalogMembers(architectures)}
  }
}
`;
