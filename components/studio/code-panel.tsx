'use client';

import { useState } from 'react';
import { useRouter } from 'next/navigation';
import { changedFields, type Config } from '#components/studio/config';
import { LANGUAGES, toSnippet } from '#components/studio/snippets';
import { takeSnippet } from '#components/studio/take-settings';
import { Button } from '#components/ui/button';
import { CodeBlock } from '#components/ui/code-block';
import { Field } from '#components/ui/field';
import { Sheet } from '#components/ui/sheet';
import { Tabs } from '#components/ui/tabs';
import { Textarea } from '#components/ui/textarea';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

/** Shows the form as code, and fills the form from pasted code. */
export function CodePanel({
  entry,
  entries,
  config,
  onClose,
}: {
  entry: CatalogEntry;
  entries: readonly CatalogEntry[];
  config: Config;
  onClose: () => void;
}) {
  const router = useRouter();
  const call = {
    baseUrl: new URL(entry.generate_url).origin,
    architecture: entry.id,
    body: changedFields(entry, config),
  };
  const tabs = LANGUAGES.map(({ value, label }) => ({
    value,
    label,
    content: <CodeBlock title={label} code={toSnippet(value, call)} />,
  }));
  return (
    <Sheet
      open
      title="As code"
      description="What the form sends now. Put an API key in POMONA_KEY."
      onOpenChange={open => !open && onClose()}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
        <Tabs label="Language" tabs={tabs} />
        <PasteBox
          onTake={text => {
            if (takeSnippet(text, { entry, entries, router })) onClose();
          }}
        />
      </div>
    </Sheet>
  );
}

/** `onTake` throws errors whose messages are shown to the user. */
function PasteBox({ onTake }: { onTake: (text: string) => void }) {
  const [text, setText] = useState('');
  const [error, setError] = useState<string>();
  return (
    <form
      className="grid gap-3 border-t pt-6"
      onSubmit={event => {
        event.preventDefault();
        try {
          onTake(text);
        } catch (thrown) {
          setError(thrown instanceof Error ? thrown.message : String(thrown));
        }
      }}
    >
      <Field
        label="Fill the form from code"
        hint={
          <>
            A curl command or a JSON config.
            {/* hidden on touch screens, where files cannot be dropped */}
            <span className="pointer-coarse:hidden"> A file that was made here works too: drop it on the page.</span>
          </>
        }
        error={error}
      >
        <Textarea
          rows={4}
          value={text}
          spellCheck={false}
          className="max-h-64 font-mono text-xs md:text-xs"
          onChange={event => {
            setText(event.target.value);
            setError(undefined);
          }}
        />
      </Field>
      <Button type="submit" disabled={!text.trim()} className="justify-self-start">
        Fill the form
      </Button>
    </form>
  );
}
