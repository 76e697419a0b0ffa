import { CodeTabs } from '#components/docs/code-tabs';
import { Code, DocsPart } from '#components/docs/docs-part';
import { firstPicture, ownPicture, priceFirst } from '#components/docs/quickstart-code';
import { CodeBlock } from '#components/ui/code-block';
import { TextLink } from '#components/ui/text-link';
import type { MediaKind } from '#lib/media-kind';

const FILES = { image: 'lighthouse.png', video: 'lighthouse.mp4', audio: 'lighthouse.mp3' };

/** From a key to a file, then with media of one's own. Every piece of code runs as it stands. */
export function Quickstart({
  baseUrl,
  example,
}: {
  baseUrl: string;
  /** The architecture that the code asks for. */
  example: { id: string; type: MediaKind; name: string; gems: number };
}) {
  const file = FILES[example.type];
  return (
    <article className="grid max-w-4xl gap-14">
      <header className="grid gap-4">
        <h1 className="font-title text-head">The API in five minutes</h1>
        <p className="max-w-prose text-lg text-soft">
          Send a prompt to a model, wait for its status, download the file. All of it is JSON over HTTP, at{' '}
          <Code>{baseUrl}/v1</Code>.
        </p>
      </header>
      <DocsPart id="key" title="1. Get a key">
        <p className="max-w-prose text-soft">
          Make one under <TextLink href="/account/api">Account, API</TextLink>. It is shown once and spends your gems,
          so keep it on servers. The code on these pages reads it from the environment.
        </p>
        <CodeBlock title="Put the key in the environment" code={'export POMONA_KEY="pomona_sk_…"'} />
      </DocsPart>
      <DocsPart id="first" title={example.type === 'image' ? '2. Make a picture' : '2. Make something'}>
        <p className="max-w-prose text-soft">
          {example.name} costs {example.gems} gems with its default settings. The answer to the submit comes at once;{' '}
          <Code>wait</Code> on its status holds the line until there is a result. What fails is refunded.
        </p>
        <CodeTabs title="Make and download" codes={firstPicture(baseUrl, example.id, file)} />
        <p className="max-w-prose text-sm text-soft">
          Nothing has to be installed for any of the three. <Code>result.url</Code> needs no key and is kept for 30
          days.
        </p>
      </DocsPart>
      <DocsPart id="own" title="3. Use a picture of your own">
        <p className="max-w-prose text-soft">
          Files go to a signed address first. The <Code>url</Code> of the ticket then fits every media field, and here
          becomes a character that prompts can mention.
        </p>
        <CodeTabs title="Upload, and save a character" codes={ownPicture(baseUrl)} />
        <p className="max-w-prose text-sm text-soft">
          Media fields take any https address too, an earlier <Code>result.url</Code>, and small files as data URLs.
          Write <Code>@handle</Code> in a prompt to bring the character back.
        </p>
      </DocsPart>
      <DocsPart id="money" title="4. Know the price, pay once">
        <p className="max-w-prose text-soft">
          <Code>estimate</Code> takes the body of a submit, checks it and says what it would cost; nothing is charged.
          On the submit itself, the header <Code>Max-Gems</Code> refuses a higher price.
        </p>
        <CodeBlock title="Ask for the price" code={priceFirst(baseUrl, example.id)} />
        <p className="max-w-prose text-soft">
          Send an <Code>Idempotency-Key</Code> of your own with each submit. After a lost connection send the same
          again: you get the request that was made the first time, and it is charged once. A refusal that carries a{' '}
          <Code>request_id</Code> is kept under the key as well, so a new attempt needs a new one.
        </p>
      </DocsPart>
      <DocsPart id="live" title="5. Many at a time">
        <p className="max-w-prose text-soft">
          Up to 20 generations may be in flight. <Code>GET /v1/requests?ids=…</Code> reads fifty of them with one call.
          A status carries <Code>ETag</Code>, so that <Code>If-None-Match</Code> costs nothing, and while it is live{' '}
          <Code>queue_position</Code>, <Code>progress</Code> and <Code>eta_seconds</Code> where they are known.
        </p>
        <p className="max-w-prose text-soft">
          The whole description for your tools: <TextLink href="/v1/openapi.json">OpenAPI 3.1</TextLink>.
        </p>
      </DocsPart>
    </article>
  );
}
