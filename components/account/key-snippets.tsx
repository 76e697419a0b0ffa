'use client';

import { LANGUAGES, toSnippet } from '#components/studio/snippets';
import { CodeBlock } from '#components/ui/code-block';
import { Tabs } from '#components/ui/tabs';

export type SnippetFacts = {
  baseUrl: string;
  architecture: string;
  /** A key that was just created, shown as the environment variable to set. */
  apiKey?: string | undefined;
};

/** Complete examples of a first request with the key, from submission to result. */
export function KeySnippets({ apiKey, ...call }: SnippetFacts) {
  return (
    <div className="grid grid-cols-1 gap-4">
      {apiKey && <CodeBlock title="The key, in a shell" code={`export POMONA_KEY=${apiKey}`} />}
      <Tabs
        label="Language"
        tabs={LANGUAGES.filter(({ value }) => value !== 'json').map(({ value, label }) => ({
          value,
          label,
          content: (
            <CodeBlock
              title={`First request, in ${label}`}
              code={toSnippet(value, { ...call, body: { prompt: 'a lighthouse at dusk' } })}
            />
          ),
        }))}
      />
    </div>
  );
}
