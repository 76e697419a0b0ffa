'use client';

import { lazy, Suspense, useState } from 'react';
import { ChevronsUpDown } from 'lucide-react';
import { Emblem } from '#components/architectures/emblem';
import { PreviewBadge } from '#components/generations/preview-badge';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

const loadPicker = () => import('#components/studio/architecture-picker');
const ArchitecturePicker = lazy(() => loadPicker().then(module => ({ default: module.ArchitecturePicker })));

/** The head of the create page: the model that is chosen, and the way to another one. */
export function ArchitectureSwitch({ entry, entries }: { entry: CatalogEntry; entries: readonly CatalogEntry[] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="grid gap-1.5">
      <h1>
        <button
          type="button"
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
          onPointerEnter={() => void loadPicker()}
          onFocus={() => void loadPicker()}
          className="-mx-2 flex w-[calc(100%+1rem)] items-center gap-3 rounded-md px-2 py-1.5 text-left transition-colors hover:bg-ink/5 focus-visible:rounded-md"
        >
          <Emblem id={entry.id} className="size-11" />
          <span className="grow">
            <span className="block text-xs text-faint">Create with </span>
            <span className="font-title flex flex-wrap items-center gap-x-3 text-title leading-7">
              {entry.name}
              {entry.preview_models.includes(String(entry.base_config.model_id)) && (
                <PreviewBadge className="font-sans" />
              )}
            </span>
          </span>
          <ChevronsUpDown className="size-4 text-faint" aria-hidden />
          <span className="sr-only">, choose another model</span>
        </button>
      </h1>
      <p className="text-sm text-soft">{entry.description}</p>
      {isOpen && (
        <Suspense>
          <ArchitecturePicker entries={entries} current={entry} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}
