'use client';

import { Keys } from '#components/layout/keys';
import { PAGES } from '#components/layout/shortcuts';
import { Dialog } from '#components/ui/dialog';

interface Shortcut {
  /** Key combinations, in sequence or as alternatives; `Mod` is Cmd on a Mac and Ctrl elsewhere. */
  keys: readonly string[];
  does: string;
}

/** Shortcuts listed in the sheet. */
const SHORTCUTS: readonly { title: string; shortcuts: readonly Shortcut[] }[] = [
  {
    title: 'Everywhere',
    shortcuts: [
      { keys: ['Mod K'], does: 'Find a page, a model, a character, an action, your own work' },
      { keys: ['Mod Enter'], does: 'Send the form you are in' },
      { keys: ['?'], does: 'This sheet' },
      { keys: ['Esc'], does: 'Close what is on top' },
      { keys: ['F8'], does: 'Go to the newest message' },
      { keys: ['Mod Z'], does: 'Restore results just deleted, or undo the last change of a form' },
    ],
  },
  { title: 'Go to', shortcuts: PAGES.map(({ letter, name }) => ({ keys: ['G', letter.toUpperCase()], does: name })) },
  {
    title: 'Create',
    shortcuts: [
      { keys: ['Mod Enter'], does: 'Create' },
      { keys: ['↑'], does: 'In an empty prompt: the previous one' },
      { keys: ['@'], does: 'Mention a character or a reference' },
      { keys: ['Mod V'], does: 'Paste an image into the field with the focus' },
    ],
  },
  {
    title: 'History',
    shortcuts: [
      { keys: ['←', '→'], does: 'Previous and next, also in the viewer' },
      { keys: ['X'], does: 'Select; with Shift, a range' },
      { keys: ['F'], does: 'Favourite, also in the viewer' },
      { keys: ['Delete'], does: 'Remove, also in the viewer' },
      { keys: ['+', '−', '0'], does: 'Zoom in, zoom out, fit' },
    ],
  },
  {
    title: 'Edit',
    shortcuts: [
      { keys: ['B', 'L', 'M'], does: 'Brush, lasso, rectangle' },
      { keys: ['E'], does: 'Switch between painting and erasing' },
      { keys: ['[', ']'], does: 'Smaller brush, larger brush' },
      { keys: ['Mod Z'], does: 'Undo painting; with Shift, redo' },
      { keys: ['+', '−', '0'], does: 'Zoom in, zoom out, fit' },
      { keys: ['Space'], does: 'Hold to move the image' },
    ],
  },
];

/** Dialog that lists all keyboard shortcuts. */
export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      open
      shape="wide"
      title="Shortcuts"
      description="Letters work when no field has the focus."
      onOpenChange={open => !open && onClose()}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable area must be focusable */}
      <div tabIndex={0} className="gap-x-10 outline-none md:columns-2">
        {SHORTCUTS.map(({ title, shortcuts }) => (
          <section key={title} className="break-inside-avoid pb-6">
            <h3 className="pb-1.5 text-xs text-faint">{title}</h3>
            <dl className="border-t">
              {shortcuts.map(({ keys, does }) => (
                <div key={does} className="flex items-center justify-between gap-6 border-b py-2 text-sm">
                  <dt className="order-2 shrink-0">
                    <Keys keys={keys} />
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
