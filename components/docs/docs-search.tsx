'use client';

import { useEffect, useState } from 'react';
import { Search } from 'lucide-react';
import { Keys } from '#components/layout/keys';
import { onDemand, Opening } from '#components/ui/on-demand';

// the index and the search code load when the search is opened
const SearchDialog = onDemand(async () => (await import('#components/docs/search-dialog')).SearchDialog);

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && Boolean(target.closest('input, textarea, select, [contenteditable]'));

/** Button that opens the search of the documentation, as do the keys `/` and Ctrl+K. */
export function DocsSearch() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isFind = event.key === '/' && !isTyping(event.target) && !event.metaKey && !event.ctrlKey;
      if (!isFind && !(event.key === 'k' && (event.metaKey || event.ctrlKey))) return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  const close = () => setOpen(false);
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        className="flex min-h-10 w-full items-center gap-2.5 rounded-md border border-edge bg-raised px-3 text-sm text-soft transition-colors hover:border-ink hover:text-ink pointer-coarse:min-h-11"
      >
        <Search className="size-4" aria-hidden />
        <span className="grow text-left">Search</span>
        <Keys keys={['/']} className="max-lg:hidden" />
      </button>
      <Opening onClose={close}>{isOpen && <SearchDialog onClose={close} />}</Opening>
    </>
  );
}
