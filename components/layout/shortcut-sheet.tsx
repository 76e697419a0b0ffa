'use client';

import { Keys } from '#components/layout/keys';
import { PAGES } from '#components/layout/shortcuts';
import { Dialog } from '#components/ui/dialog';

interface Shortcut {
  /** Keys to press together; `Mod` is Cmd on a Mac and Ctrl elsewhere. Several in a row are pressed one after another. */
  keys: readonly string[];
  does: string;
}

/** What the help sheet shows. */
const SHORTCUTS: readonly { title: string; shortcuts: readonly Shortcut[] }[] = [
  {
    title: 'Everywhere',
    shortcuts: [
      { keys: ['Mod K'], does: 'Find a page, a model, a character, an act, your own work' },
      { keys: ['Mod Enter'], does: 'Send the form in which you write' },
      { keys: ['?'], does: 'This sheet' },
      { keys: ['Esc'], does: 'Close what is on top' },
      { keys: ['F8'], does: 'Go to the newest message' },
      { keys: ['Mod Z'], does: 'Take back the results just deleted, or the last change of a form' },
    ],
  },
  { title: 'Go to', shortcuts: PAGES.map(({ letter, name }) => ({ keys: ['G', letter.toUpperCase()], does: name })) },
  {
    title: 'Create',
    shortcuts: [
      { keys: ['Mod Enter'], does: 'Create, as the button does' },
      { keys: ['↑'], does: 'In an empty prompt: the one before' },
      { keys: ['@'], does: 'Mention a character or a reference' },
      { keys: ['Mod V'], does: 'Paste an image into the field with the focus' },
    ],
  },
  {
    title: 'History',
    shortcuts: [
      { keys: ['←', '→'], does: 'From one to the next, also in the viewer' },
      { keys: ['X'], does: 'Choose, with Shift all between' },
      { keys: ['F'], does: 'Favourite, also in the viewer' },
      { keys: ['Delete'], does: 'Remove, also in the viewer' },
      { keys: ['+', '−', '0'], does: 'Nearer, farther, whole' },
    ],
  },
  {
    title: 'Edit',
    shortcuts: [
      { keys: ['B', 'L', 'M'], does: 'Brush, lasso, rectangle' },
      { keys: ['E'], does: 'Take away instead, and back' },
      { keys: ['[', ']'], does: 'A smaller brush, a larger one' },
      { keys: ['Mod Z'], does: 'Take back what was painted, with Shift again' },
      { keys: ['+', '−', '0'], does: 'Nearer, farther, whole' },
      { keys: ['Space'], does: 'Held: move the image' },
    ],
  },
];

/** All shortcuts at a glance. */
export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      open
      shape="wide"
      title="Shortcuts"
      description="Letters work while no field has the focus."
      onOpenChange={open => !open && onClose()}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */}
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
