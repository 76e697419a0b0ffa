import { nameOf } from '#components/generations/name-of';
import { CopyButton } from '#components/ui/copy-button';
import type { RequestWire } from '#lib/contract/schemas';

/** What was asked for, in full; of what a recipe made, what was done, and what the recipe told the model when one opens that. */
export function ViewerPrompt({ request }: { request: RequestWire }) {
  const { prompt, run } = request;
  const copy = prompt && <CopyButton text={prompt} label="Copy prompt" className="-ml-3 justify-self-start" />;
  return (
    <section aria-label="Prompt" className="grid gap-2">
      {/* where it goes on, a line of it is cut in half */}
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
