import { Emblem } from '#components/architectures/emblem';
import { callCode } from '#components/docs/call-code';
import { CodeTabs } from '#components/docs/code-tabs';
import { Code, DocsPart } from '#components/docs/docs-part';
import { FieldList } from '#components/docs/field-list';
import type { OperationDoc, Schemas } from '#components/docs/read-openapi';
import { TryIt } from '#components/docs/try-it';
import { Button } from '#components/ui/button';
import { GemAmount } from '#components/ui/gem-amount';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

/** What one architecture takes, field by field, and what it can be given beside a prompt. */
export function ModelPage({
  entry,
  operation,
  schemas,
  signedIn,
}: {
  entry: CatalogEntry;
  operation: OperationDoc;
  schemas: Schemas;
  signedIn: boolean;
}) {
  const { id, name, description, gems, generate_url, input_schema, options_by_model } = entry;
  const body = exampleFor(entry);
  const facts = factsOf(entry);
  return (
    <article className="grid gap-12">
      <header className="flex flex-wrap items-start gap-5">
        <Emblem id={id} className="size-16" />
        <div className="grid grow gap-2">
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
      <div className="grid items-start gap-x-10 gap-y-12 xl:grid-cols-[minmax(0,1.15fr)_minmax(0,1fr)]">
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
        <TryIt method="POST" path={operation.path} parameters={operation.parameters} body={body} signedIn={signedIn} />
      </DocsPart>
    </article>
  );
}

const PROMPTS = {
  image: 'a lighthouse at dusk',
  video: 'waves roll against a lighthouse',
  audio: 'waves, and a foghorn far away',
};

/** A prompt and the first settings, as one would send them. */
function exampleFor({ type, base_config }: CatalogEntry): Record<string, unknown> {
  const shown = ['aspect_ratio', 'resolution', 'duration'].filter(name => name in base_config);
  return { prompt: PROMPTS[type], ...Object.fromEntries(shown.map(name => [name, base_config[name]])) };
}

function factsOf({
  options,
  mentions,
  max_images,
  max_images_by_model,
  exclusive,
  needs,
  source_video,
}: CatalogEntry): string[] {
  const all = options.model_id?.length;
  const models = (ids: string[]) => (ids.length === all ? '' : ` (${ids.join(', ')})`);
  const { characters, references, audio_references, max_audio_references, character_voices } = mentions;
  const facts: string[] = [];
  if (characters.length) facts.push(`A prompt may mention characters${models(characters)}.`);
  if (character_voices) facts.push('The voices of mentioned characters are sent too, unless switched off.');
  if (references.length) facts.push(`A prompt may mention references with a picture${models(references)}.`);
  if (audio_references.length) facts.push(`A prompt may mention sounds${models(audio_references)}.`);
  if (max_audio_references) facts.push(`Up to ${max_audio_references} sounds, voices counted.`);
  if (max_images > 0) facts.push(`Up to ${max_images} images, those of mentions counted.`);
  for (const [model, most] of Object.entries(max_images_by_model)) facts.push(`${model}: up to ${most} images.`);
  if (exclusive.length)
    facts.push(`Of ${exclusive.map(group => group.join(' and ')).join(', or ')}: only one kind at a time.`);
  for (const [role, least] of Object.entries(needs))
    facts.push(
      `Every request brings ${least === 1 ? 'a' : least} ${role.replaceAll('_', ' ')}${least === 1 ? '' : 's'}.`,
    );
  if (source_video) {
    const [from, to] = source_video.seconds;
    facts.push(`The source video lasts ${from} to ${to} seconds.`);
    if (source_video.output_follows) facts.push('The output is as long as the source video.');
  }
  return facts;
}
