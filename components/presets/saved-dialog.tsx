'use client';

import { useRef, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { ask, type Asked } from '#components/library/ask';
import { PresetsPanel } from '#components/presets/presets-panel';
import { PromptsPanel } from '#components/presets/prompts-panel';
import { StylesPanel } from '#components/presets/styles-panel';
import { NOTHING_TYPED } from '#components/presets/typed';
import { composerPrompt } from '#components/studio/show-composer';
import { Dialog } from '#components/ui/dialog';
import { Tabs } from '#components/ui/tabs';
import { catalogQuery } from '#lib/client/queries';

/** Presets, styles and past prompts that fill the composer of a model, where each change can be undone. */
export function SavedDialog({ part, entry }: Omit<Extract<Asked, { kind: 'saved' }>, 'kind'>) {
  const { data: entries = [] } = useQuery(catalogQuery);
  const [typed, setTyped] = useState(NOTHING_TYPED);
  const onType = (next: Partial<typeof NOTHING_TYPED>) => setTyped(before => ({ ...before, ...next }));
  const isDismissed = useRef(false);
  return (
    <Dialog
      open
      title="Saved"
      isUnsaved={Object.values(typed).some(text => text.trim() !== '')}
      onOpenChange={() => {
        isDismissed.current = true;
        ask(null);
      }}
      // after a choice the user continues in the prompt, otherwise at the element that opened the dialog
      focusOnClose={() => (isDismissed.current ? null : composerPrompt())}
    >
      <Tabs
        label="Saved"
        defaultValue={part}
        className="min-h-96"
        tabs={[
          {
            value: 'presets',
            label: 'Presets',
            content: <PresetsPanel entry={entry} entries={entries} typed={typed} onType={onType} />,
          },
          { value: 'styles', label: 'Styles', content: <StylesPanel entry={entry} typed={typed} onType={onType} /> },
          { value: 'prompts', label: 'Past prompts', content: <PromptsPanel entry={entry} /> },
        ]}
      />
    </Dialog>
  );
}
