import { nameOf } from '#components/generations/name-of';
import { CopyButton } from '#components/ui/copy-button';
import type { RequestWire } from '#lib/contract/schemas';

/** The full prompt; for a result of a recipe, its title, with the prompt sent to the model in a disclosure. */
export function ViewerPrompt({ request }: { request: RequestWire }) {
  const { prompt, run } = request;
  const copy = prompt && <CopyButton text={prompt} label="Copy prompt" className="-ml-3 justify-self-start" />;
  return (
    <section aria-label="Prompt" className="grid gap-2">
      {/* the maximum height cuts a line in half, which shows that the text goes on */}
      <p dir="auto" className="max-h-33 overflow-y-auto text-base lg:max-h-63 leading-6 whitespace-pre-wrap">
        {nameOf(request) || 'No prompt'}
      </p>
      {run ? (
        <details className="text-sm">
          <summary className="finger-line text-faint">Prompt sent to the model</summary>
          <p dir="auto" className="max-h-63 overflow-y-auto py-2 whitespace-pre-wrap text-soft">
            {prompt}
          </p>
          {copy}
        </details>
      ) : (
        copy
      )}
    </section>
  );
}
