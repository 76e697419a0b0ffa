import type { ReactNode } from 'react';
import { limitsOf } from '#lib/docs/limits-of';
import { resolve, withoutNull, type Schema, type Schemas } from '#lib/docs/read-openapi';
import { cn } from '#components/ui/cn';
import type { OptionsByModel } from '#lib/contract/catalog-entry';

interface Row {
  name: string;
  depth: number;
  type: string;
  isRequired: boolean;
  schema: Schema;
}

const DEEPEST = 3;

/** Lists the fields of an object and of its nested objects, with type, rules and meaning. */
export function FieldList({
  schema,
  schemas,
  label,
  optionsByModel = {},
  showRequired = false,
}: {
  schema: Schema;
  schemas: Schemas;
  /** Accessible name of the list. */
  label: string;
  /** Options that each variant of a model accepts in a field. */
  optionsByModel?: OptionsByModel;
  /** Whether required fields are marked; in responses all fields are present. */
  showRequired?: boolean;
}) {
  return (
    <dl aria-label={label} className="border-t">
      {rowsOf(schema, schemas, 0).map(({ name, depth, type, isRequired, schema: field }, index) => (
        <div
          key={index}
          className={cn(
            'grid grid-cols-1 gap-x-6 gap-y-1 border-b py-3 wrap-anywhere md:grid-cols-[13rem_minmax(0,1fr)]',
            INDENTS[depth],
          )}
        >
          <dt className="flex flex-wrap items-baseline gap-x-2 font-mono text-sm">
            {name}
            {showRequired && isRequired && <span className="font-sans text-xs text-accent-ink">required</span>}
          </dt>
          <dd className="grid grid-cols-1 gap-1 text-sm text-soft">
            <p>
              <span className="font-mono text-xs text-faint">{type}</span>
              {field.description && <> · {field.description}</>}
            </p>
            <Rules schema={field} />
            <ByModel field={name} optionsByModel={optionsByModel} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

const INDENTS = ['', 'pl-5', 'pl-10', 'pl-15'];

function rowsOf(schema: Schema, schemas: Schemas, depth: number): Row[] {
  const { properties = {}, required = [] } = resolve(withoutNull(resolve(schema, schemas)).schema, schemas);
  return Object.entries(properties).flatMap(([name, member]) => {
    const { schema: given, isNullable } = withoutNull(member);
    const shape = resolve(given, schemas);
    const inner = shape.type === 'array' ? (shape.items ?? {}) : shape;
    const row: Row = {
      name,
      depth,
      type: typeOf(shape, schemas) + (isNullable ? ' or null' : ''),
      isRequired: required.includes(name),
      schema: { ...shape, ...(given.description && { description: given.description }) },
    };
    return depth < DEEPEST ? [row, ...rowsOf(inner, schemas, depth + 1)] : [row];
  });
}

function typeOf(schema: Schema, schemas: Schemas): string {
  if (schema.type === 'array') {
    if (schema['x-media']) return `list of addresses of ${schema['x-media']}s`;
    const items = schema.items ? typeOf(resolve(withoutNull(schema.items).schema, schemas), schemas) : 'any';
    return `list of ${items}`;
  }
  if (schema['x-media']) return `address of ${schema['x-media'] === 'image' ? 'an image' : `a ${schema['x-media']}`}`;
  if (schema.format === 'uuid') return 'uuid';
  if (schema.format === 'uri') return 'url';
  if (schema.format === 'date-time') return 'timestamp';
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  return [schema.type ?? 'any'].flat().join(' or ');
}

function Rules({ schema }: { schema: Schema }) {
  const { default: preset } = schema;
  const rules: ReactNode[] = limitsOf(schema);
  if (preset !== undefined)
    rules.push(
      <>
        default <Token>{preset}</Token>
      </>,
    );
  return (
    <>
      {schema.enum && (
        <p className="flex flex-wrap gap-1.5">
          {schema.enum.map(token => (
            <Token key={String(token)}>{token}</Token>
          ))}
        </p>
      )}
      {rules.length > 0 && (
        <p className="figures text-xs text-faint">
          {rules.map((rule, index) => (
            <span key={index}>
              {index > 0 && ' · '}
              {rule}
            </span>
          ))}
        </p>
      )}
    </>
  );
}

function ByModel({ field, optionsByModel }: { field: string; optionsByModel: OptionsByModel }) {
  const narrowed = Object.entries(optionsByModel).flatMap(([model, { [field]: tokens }]) =>
    tokens ? [{ model, tokens }] : [],
  );
  if (!narrowed.length) return null;
  return (
    <ul className="grid gap-1 text-xs text-faint">
      {narrowed.map(({ model, tokens }) => (
        <li key={model}>
          <span className="font-mono text-soft">{model}</span> takes{' '}
          {tokens.map((token, index) => (
            <span key={token}>
              {index > 0 && ', '}
              <span className="font-mono">{token}</span>
            </span>
          ))}
        </li>
      ))}
    </ul>
  );
}

function Token({ children }: { children: unknown }) {
  return <code className="rounded-sm bg-ink/6 px-1.5 py-px font-mono text-xs text-ink">{String(children)}</code>;
}
