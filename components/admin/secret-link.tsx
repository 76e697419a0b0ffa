'use client';

import { CopyButton } from '#components/ui/copy-button';
import { Moment } from '#components/ui/moment';

/** A link that is shown this once. */
export function SecretLink({ url, expiresAt }: { url: string; expiresAt: string }) {
  return (
    <div className="grid gap-3">
      <code className="rounded-md border bg-sunk px-3 py-2.5 font-mono text-[0.8125rem] break-all select-all">
        {url}
      </code>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-sm text-soft">
          Works once, until <Moment at={expiresAt} as="minute" />. It is not shown again.
        </p>
        <CopyButton text={url} label="Copy link" tone="primary" size="md" />
      </div>
    </div>
  );
}
