import { Emblem } from '#components/architectures/emblem';
import { callCode } from '#lib/docs/call-code';
import { CodeTabs } from '#components/docs/code-tabs';
import { AsMarkdown, Code, DocsPart } from '#components/docs/docs-part';
import { FieldList } from '#components/docs/field-list';
import type { OperationDoc, Schemas } from '#lib/docs/read-openapi';
import { TryIt } from '#components/docs/try-it';
import { Button } from '#components/ui/button';
import { GemAmount } from '#components/ui/gem-amount';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import { exampleConfig, rulesOf } from '#lib/docs/model-facts';

/** Reference page of an architecture: its fields, and the inputs it takes besides a prompt. */
export function ModelPage({
  entry,
  operation,
  schemas,
  account,
}: {
  entry: CatalogEntry;
  operation: OperationDoc;
  schemas: Schemas;
  account: string | undefined;
}) {
  const { id, name, description, gems, generate_url, input_schema, options_by_model } = entry;
  const body = exampleConfig(entry);
  const facts = rulesOf(entry);
  return (
    <article className="grid grid-cols-1 gap-12">
      <header className="flex flex-wrap items-start gap-5">
        <Emblem id={id} className="size-16" />
        <div className="grid min-w-0 grow gap-2 wrap-anywhere">
          <h1 className="font-title text-head">{name}</h1>
          <p className="max-w-prose text-soft">{description}</p>
          <p className="flex flex-wrap items-baseline gap-x-4 gap-y-1 text-sm">
            <span className="font-mono">POST /v1/{id}/generate</span>
            <span className="text-soft">
              <GemAmount gems={gems} /> with the defaults
            </span>
          </p>
        </div>
        <Button asChild>
          <a href={`/create/${id}`}>Open the form</a>
        </Button>
      </header>
      <div className="grid grid-cols-1 items-start gap-x-10 gap-y-12 xl:grid-cols-[minmax(0,1.15fr)_minmax(0,1fr)]">
        <DocsPart id="fields" title="Fields of the body">
          <FieldList
            label={`Fields of ${name}`}
            schema={input_schema}
            schemas={schemas}
            optionsByModel={options_by_model}
            showRequired
          />
        </DocsPart>
        <div className="grid min-w-0 gap-8 xl:sticky xl:top-8">
          <CodeTabs title="Request" codes={callCode({ method: 'POST', url: generate_url, body })} />
          {facts.length > 0 && (
            <DocsPart id="rules" title="Rules">
              <ul className="grid list-disc gap-2 pl-5 text-sm text-soft marker:text-accent">
                {facts.map(fact => (
                  <li key={fact}>{fact}</li>
                ))}
              </ul>
            </DocsPart>
          )}
          <p className="text-sm text-soft">
            The price follows the settings: ask <Code>POST /v1/{id}/estimate</Code> with the same body.
          </p>
        </div>
      </div>
      <DocsPart id="try" title="Try it">
        <TryIt method="POST" path={operation.path} parameters={operation.parameters} body={body} account={account} />
      </DocsPart>
      <AsMarkdown path={`/docs/models/${id}`} />
    </article>
  );
}
