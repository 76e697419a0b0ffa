import { callCode } from '#lib/docs/call-code';
import { CodeTabs } from '#components/docs/code-tabs';
import { AsMarkdown, DocsPart } from '#components/docs/docs-part';
import { commonValues, exampleAnswer, exampleCall } from '#lib/docs/example';
import { FieldList } from '#components/docs/field-list';
import { MethodMark } from '#components/docs/method-mark';
import type { OperationDoc, Schema, Schemas } from '#lib/docs/read-openapi';
import { TryIt } from '#components/docs/try-it';
import { CodeBlock } from '#components/ui/code-block';
import { TextLink } from '#components/ui/text-link';

/** Reference page of an operation: its parameters, responses and errors, with a form to try it. */
export function OperationPage({
  operation,
  schemas,
  baseUrl,
  account,
}: {
  operation: OperationDoc;
  schemas: Schemas;
  baseUrl: string;
  account: string | undefined;
}) {
  const { method, path, summary, scope, parameters, body, answers } = operation;
  const call = exampleCall(operation, schemas, baseUrl);
  const answer = exampleAnswer(operation, schemas, baseUrl);
  const good = answers.filter(({ status }) => status.startsWith('2'));
  const fields = good.find(({ schema }) => schema)?.schema;
  const free = Object.entries(FREE_BODIES).find(([place]) => path.includes(place))?.[1];
  return (
    <article className="grid grid-cols-1 gap-12">
      <header className="grid gap-3">
        <h1 className="font-title text-head">{summary}</h1>
        <p className="flex flex-wrap items-baseline gap-x-3 font-mono text-sm wrap-anywhere">
          <MethodMark method={method} className="text-sm" />
          {path}
          {scope && (
            <span className="font-sans text-xs text-faint">
              Scope <code className="font-mono text-soft">{scope}</code>
            </span>
          )}
        </p>
      </header>
      <div className="grid grid-cols-1 items-start gap-x-10 gap-y-12 xl:grid-cols-[minmax(0,1.15fr)_minmax(0,1fr)]">
        <div className="grid grid-cols-1 gap-12">
          {parameters.length > 0 && (
            <DocsPart id="parameters" title="Parameters">
              <FieldList label="Parameters" schema={asObject(parameters)} schemas={schemas} showRequired />
            </DocsPart>
          )}
          {body && (
            <DocsPart id="body" title="Body">
              {free ? (
                <p className="text-soft">{free}</p>
              ) : (
                <FieldList label="Body" schema={body} schemas={schemas} showRequired />
              )}
            </DocsPart>
          )}
          <DocsPart id="answer" title={`Answer ${good.map(({ status }) => status).join(' or ')}`}>
            {fields ? (
              <FieldList label="Answer" schema={fields} schemas={schemas} />
            ) : (
              <p className="text-soft">There is no body.</p>
            )}
          </DocsPart>
          <DocsPart id="refusals" title="Refusals">
            <Refusals answers={answers} />
          </DocsPart>
        </div>
        <div className="grid min-w-0 gap-8 xl:sticky xl:top-8">
          <CodeTabs title="Request" codes={callCode(call)} />
          {answer !== undefined && (
            <CodeBlock title="Answer" code={JSON.stringify(answer, null, 2)} className="max-h-160 overflow-y-auto" />
          )}
        </div>
      </div>
      <DocsPart id="try" title="Try it">
        <TryIt
          method={method}
          path={path}
          parameters={parameters}
          given={commonValues(path)}
          body={call.body}
          account={account}
        />
      </DocsPart>
      <AsMarkdown path={`/docs/${operation.id}`} />
    </article>
  );
}

/** Descriptions of bodies whose fields depend on a path parameter, by parameter. */
const FREE_BODIES = {
  '{architecture}':
    'A partial config of the architecture: what you leave out keeps its default. The fields of each are on its page, under Models, and in the catalog.',
  '{recipe}':
    'Inputs of the recipe: what you leave out keeps its default. The fields of each are its input_schema in GET /v1/recipes.',
};

/** Returns the parameters as an object schema, so that they are listed like a body. */
const asObject = (parameters: OperationDoc['parameters']): Schema => ({
  properties: Object.fromEntries(
    parameters.map(({ name, in: where, schema }) => [
      name,
      { ...schema, description: `${WHERE[where]}${schema.description ? `. ${schema.description}` : ''}` },
    ]),
  ),
  required: parameters.filter(({ required }) => required).map(({ name }) => name),
});

const WHERE = { path: 'In the path', query: 'In the query', header: 'Header' };

function Refusals({ answers }: { answers: OperationDoc['answers'] }) {
  return (
    <ul className="border-t text-sm">
      {answers
        .filter(({ status }) => Number(status) >= 400)
        .map(({ status, description }) => (
          <li key={status} className="grid grid-cols-[3rem_minmax(0,1fr)] border-b py-2.5 wrap-anywhere">
            <span className="figures text-faint">{status}</span>
            <span className="flex flex-wrap gap-x-4 gap-y-1">
              {description.split(', ').map(code => (
                <TextLink key={code} href={`/docs/errors#${code}-${status}`} className="font-mono text-xs">
                  {code}
                </TextLink>
              ))}
            </span>
          </li>
        ))}
    </ul>
  );
}
