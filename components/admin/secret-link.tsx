'use client';

import { Button } from '#components/ui/button';
import { CopyButton } from '#components/ui/copy-button';
import { DialogClose } from '#components/ui/dialog';
import { Moment } from '#components/ui/moment';

/** A link that is shown only once, in a dialog that stays open until the operator has saved it. */
export function SecretLink({ url, expiresAt }: { url: string; expiresAt: string }) {
  return (
    <div className="grid gap-3">
      <code className="rounded-md border bg-sunk px-3 py-2.5 font-mono text-[0.8125rem] break-all select-all">
        {url}
      </code>
      <p className="text-sm text-soft">
        Works once, until <Moment at={expiresAt} as="minute" />. It is not shown again.
      </p>
      <div className="flex flex-wrap justify-end gap-3">
        <CopyButton text={url} label="Copy link" tone="plain" size="md" />
        <DialogClose>
          <Button tone="primary">I have saved it</Button>
        </DialogClose>
      </div>
    </div>
  );
}
