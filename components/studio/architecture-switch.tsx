'use client';

import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { ChevronsUpDown } from 'lucide-react';
import { PreviewBadge } from '#components/generations/preview-badge';
import { ModelPicture } from '#components/studio/model-picture';
import { onDemand, Opening } from '#components/ui/on-demand';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import { catalogQuery } from '#lib/client/queries';

const ArchitecturePicker = onDemand(
  async () => (await import('#components/studio/architecture-picker')).ArchitecturePicker,
);

/** Button that shows the selected model with an example image, and opens the model picker. */
export function ArchitectureSwitch({ entry }: { entry: CatalogEntry }) {
  const { data: entries = [] } = useQuery(catalogQuery);
  const [isOpen, setOpen] = useState(false);
  const isPreview = entry.preview_models.includes(String(entry.base_config.model_id));
  return (
    <div>
      <h1>
        <button
          type="button"
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
          onPointerEnter={ArchitecturePicker.near}
          onFocus={ArchitecturePicker.near}
          title={entry.description}
          className="-mx-2 flex w-[calc(100%+1rem)] items-center gap-3 rounded-md p-2 text-left transition-colors hover:bg-ink/5 focus-visible:rounded-md"
        >
          <ModelPicture id={entry.id} className="size-12" />
          <span className="grid min-w-0 grow gap-0.5">
            <span className="text-xs text-faint">
              Model<span className="sr-only">: </span>
            </span>
            <span className="font-title flex flex-wrap items-center gap-x-2 text-lg leading-6">
              {entry.name}
              {isPreview && <PreviewBadge className="font-sans" />}
            </span>
          </span>
          <ChevronsUpDown className="size-4 text-faint" aria-hidden />
          <span className="sr-only">, choose another model</span>
        </button>
      </h1>
      {isOpen && (
        <Opening onClose={() => setOpen(false)}>
          <ArchitecturePicker entries={entries} current={entry} onClose={() => setOpen(false)} />
        </Opening>
      )}
    </div>
  );
}
