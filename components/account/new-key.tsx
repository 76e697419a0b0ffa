'use client';

import type { CreatedKey } from '#components/account/create-key-dialog';
import { CopyButton } from '#components/ui/copy-button';

/** The key that was just made, in full. Its title takes the focus when the dialog closes. */
export function NewKey({ created }: { created: CreatedKey }) {
  return (
    <section
      aria-labelledby="new-key"
      className="animate-rise grid gap-4 rounded-lg border border-accent/60 bg-accent/6 p-5 sm:p-6"
    >
      <div className="grid gap-1">
        <h2 id="new-key" tabIndex={-1} className="font-title text-title outline-none">
          Your new key: {created.name}
        </h2>
        <p className="text-sm text-soft">Copy it now. It is shown this once; only its fingerprint is kept.</p>
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <code
          data-testid="new-key"
          className="min-w-0 grow basis-72 rounded-md border bg-raised px-3 py-2.5 font-mono text-[0.8125rem] break-all select-all"
        >
          {created.key}
        </code>
        <CopyButton text={created.key} label="Copy key" tone="primary" size="md" />
      </div>
    </section>
  );
}
