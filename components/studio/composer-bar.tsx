'use client';

import { Emblem } from '#components/architectures/emblem';
import { Button } from '#components/ui/button';
import { GemAmount } from '#components/ui/gem-amount';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

/** The collapsed composer of narrow screens: prompt, price and Create button at the bottom edge. */
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
  /** Total price of what the button creates, in gems. */
  gems: number;
  count: number;
  /** Why nothing can be created now, or null; the open composer shows it. */
  blocked: string | null;
  isBusy: boolean;
  onOpen: () => void;
  /** Called when the composer is about to be opened, so that its code can be loaded. */
  onNear: () => void;
  /** Creates, or opens the composer when nothing can be created. */
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
