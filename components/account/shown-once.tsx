'use client';

import { CopyButton } from '#components/ui/copy-button';

/** Returns the title of the secret, which gets the focus when the dialog that created it closes. */
export const shownOnce = () => document.getElementById('shown-once');

/** A secret that was just created, in full. */
export function ShownOnce({
  title,
  children,
  secret,
  copy,
  testId,
}: {
  title: string;
  /** Advice on what to do with the secret. */
  children: React.ReactNode;
  secret: string;
  copy: string;
  testId: string;
}) {
  return (
    <section
      aria-labelledby="shown-once"
      className="animate-rise grid grid-cols-1 gap-4 rounded-lg border border-accent/60 bg-accent/6 p-5 sm:p-6"
    >
      <div className="grid grid-cols-1 gap-1">
        <h2 id="shown-once" tabIndex={-1} className="font-title text-title break-words outline-none">
          {title}
        </h2>
        <p className="text-sm text-soft">{children}</p>
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <code
          data-testid={testId}
          className="min-w-0 grow basis-72 rounded-md border bg-raised px-3 py-2.5 font-mono text-[0.8125rem] break-all select-all"
        >
          {secret}
        </code>
        <CopyButton text={secret} label={copy} tone="primary" size="md" />
      </div>
    </section>
  );
}
