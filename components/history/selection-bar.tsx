'use client';

import { X } from 'lucide-react';
import { ActStrip } from '#components/generations/act-strip';
import type { ActId } from '#components/generations/use-acts';
import { selectionActs, type SelectionHandlers } from '#components/history/selection-acts';
import { Button } from '#components/ui/button';
import { IconButton } from '#components/ui/icon-button';
import type { RequestWire } from '#lib/contract/schemas';

/** Actions that stay visible when there is no room for all of them. */
const FIRST: readonly ActId[] = ['favourite', 'collect', 'download', 'delete'];

/** Toolbar with the actions for the selected requests. */
export function SelectionBar({
  selected,
  onSelectAll,
  onClear,
  ...handlers
}: SelectionHandlers & {
  selected: readonly RequestWire[];
  onSelectAll: () => void;
  onClear: () => void;
}) {
  const acts = selectionActs(selected, handlers);
  return (
    <div role="toolbar" aria-label="Selected results" className="flex min-h-10 flex-wrap items-center gap-x-2 gap-y-1">
      <IconButton
        label="Clear the selection"
        icon={<X className="size-4" aria-hidden />}
        onClick={onClear}
        className="-ml-2"
      />
      <output className="figures mr-2 text-sm font-medium">{selected.length} selected</output>
      <Button tone="ghost" size="sm" onClick={onSelectAll} className="max-lg:ml-auto">
        Select all loaded
      </Button>
      <ActStrip acts={acts} first={FIRST} className="w-full lg:hidden" />
      <div className="ml-auto flex flex-wrap gap-2 max-lg:hidden">
        {acts.map(({ id, name, icon: Icon, isDanger, why, onPress }) => (
          <Button
            key={id}
            size="sm"
            tone={isDanger ? 'danger' : 'plain'}
            disabled={!!why}
            title={why || undefined}
            onClick={onPress}
          >
            <Icon className="size-4" aria-hidden />
            {name}
          </Button>
        ))}
      </div>
    </div>
  );
}
