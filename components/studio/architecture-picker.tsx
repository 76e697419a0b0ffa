'use client';

import { useRef, useState } from 'react';
import Link from 'next/link';
import { Takes } from '#components/architectures/takes';
import { PreviewBadge } from '#components/generations/preview-badge';
import { changeDraft, draftOf } from '#components/studio/drafts';
import { ModelPicture } from '#components/studio/model-picture';
import { Dialog } from '#components/ui/dialog';
import { cn } from '#components/ui/cn';
import { GemAmount } from '#components/ui/gem-amount';
import { SearchInput } from '#components/ui/search-input';
import { SegmentedControl } from '#components/ui/segmented-control';
import { hasWords } from '#lib/client/has-words';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import { MEDIA_KINDS, MEDIA_NAMES } from '#lib/media-kind';

const KINDS = [{ value: 'all', label: 'All' }, ...MEDIA_KINDS.map(value => ({ value, label: MEDIA_NAMES[value] }))];

/** Dialog that lists every model with its price and inputs, filtered by media kind and search words. */
export function ArchitecturePicker({
  entries,
  current,
  onClose,
}: {
  entries: readonly CatalogEntry[];
  current: CatalogEntry;
  onClose: () => void;
}) {
  const [kind, setKind] = useState('all');
  const [words, setWords] = useState('');
  const list = useRef<HTMLUListElement>(null);
  const found = entries.filter(entry => (kind === 'all' || entry.type === kind) && hasWords(textOf(entry), words));
  return (
    <Dialog open shape="wide" title="Models" onOpenChange={open => !open && onClose()}>
      <div className="grid gap-5">
        <div className="flex flex-wrap gap-3">
          <SegmentedControl label="What it makes" segments={KINDS} value={kind} onValueChange={setKind} />
          <SearchInput
            aria-label="Search models"
            placeholder="Search"
            value={words}
            onChange={event => setWords(event.target.value)}
            onKeyDown={event => {
              if (event.key === 'Enter' && words && !event.nativeEvent.isComposing)
                list.current?.querySelector('a')?.click();
            }}
            className="min-w-48 flex-1"
          />
        </div>
        <ul
          ref={list}
          className={cn(
            'grid min-h-80 content-start gap-1 sm:grid-cols-2',
            // highlights the first match, which Enter opens
            words && '[&>:first-child>a]:bg-ink/5',
          )}
        >
          {found.map(entry => (
            <li key={entry.id}>
              <Choice
                entry={entry}
                isCurrent={entry.id === current.id}
                onChoose={() => {
                  takePromptAlong(current, entry);
                  onClose();
                }}
              />
            </li>
          ))}
          {found.length === 0 && (
            <li className="py-16 text-center text-sm text-soft sm:col-span-2">No models found.</li>
          )}
        </ul>
      </div>
    </Dialog>
  );
}

/**
 * Copies the prompt to the draft of the chosen model if both make the same media type (prompts for images and videos
 * read differently). Undo restores the prompt it replaces.
 */
function takePromptAlong(from: CatalogEntry, to: CatalogEntry) {
  const { prompt } = draftOf(from);
  if (prompt && from.type === to.type) changeDraft(to, config => ({ ...config, prompt }));
}

function Choice({ entry, isCurrent, onChoose }: { entry: CatalogEntry; isCurrent: boolean; onChoose: () => void }) {
  const { id, name, description, gems, preview_models, base_config } = entry;
  return (
    <Link
      href={`/create/${id}`}
      onClick={onChoose}
      aria-current={isCurrent ? 'true' : undefined}
      className={cn(
        'grid h-full grid-cols-[auto_minmax(0,1fr)_auto] content-start gap-x-3.5 rounded-md border border-transparent p-3 transition-colors hover:bg-ink/5 focus-visible:-outline-offset-2',
        isCurrent && 'border-line bg-ink/5',
      )}
    >
      <ModelPicture id={id} className="row-span-3 size-16" />
      <span className="flex flex-wrap items-center gap-x-2.5 font-title text-lg leading-6">
        {name}
        {preview_models.includes(String(base_config.model_id)) && <PreviewBadge className="font-sans" />}
      </span>
      <GemAmount gems={gems} className="text-sm" />
      <span className="col-span-2 text-xs text-soft">{description}</span>
      <Takes entry={entry} className="col-span-2 gap-x-3 pt-1" />
    </Link>
  );
}

const textOf = ({ id, name, description, type, options }: CatalogEntry) =>
  [id, name, description, type, ...(options.model_id ?? [])].join(' ');
