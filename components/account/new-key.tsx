'use client';

import type { CreatedKey } from '#components/account/create-key-form';
import { ShownOnce } from '#components/account/shown-once';

/** A key that was just created, in full. */
export function NewKey({ created }: { created: CreatedKey }) {
  return (
    <ShownOnce title={`Your new key: ${created.name}`} secret={created.key} copy="Copy key" testId="new-key">
      Copy it now. It is shown only once; we keep only its fingerprint.
    </ShownOnce>
  );
}
