'use client';

import { Emblem } from '#components/architectures/emblem';
import { Button } from '#components/ui/button';
import { GemAmount } from '#components/ui/gem-amount';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

/** The composer while it is folded: what it would make, at the thumb. */
export function ComposerBar({
  entry,
  prompt,
  gems,
  count,
  blocked,
  isBusy,
  onOpen,
  onNear,
  onCreate,
}: {
  entry: CatalogEntry;
  prompt: string;
  /** Price of what the button makes. */
  gems: number;
  count: number;
  /** Why nothing can be made now; the opened composer says it. */
  blocked: string | null;
  isBusy: boolean;
  onOpen: () => void;
  /** It is about to be opened. */
  onNear: () => void;
  /** Opens it where it cannot be created. */
  onCreate: () => void;
}) {
  return (
    <section aria-label="Composer" className="composer-bar">
      <h1 className="sr-only">Create with {entry.name}</h1>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={onOpen}
        onPointerDown={onNear}
        onFocus={onNear}
        className="control flex min-h-12 items-center gap-2.5 py-1 text-left"
      >
        <Emblem id={entry.id} className="size-7" />
        {prompt && <span className="sr-only">Open the composer: </span>}
        <span dir="auto" className={prompt ? 'truncate' : 'truncate text-faint'}>
          {prompt || 'Write a prompt'}
        </span>
      </button>
      <Button
        tone={blocked === null ? 'primary' : 'plain'}
        size="lg"
        busy={isBusy}
        onClick={onCreate}
        onPointerDown={onNear}
        className="px-4"
      >
        Create{count > 1 && ` ${count}`}
        <GemAmount gems={gems} className="opacity-90" />
      </Button>
    </section>
  );
}
