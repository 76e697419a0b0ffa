'use client';

import { Keys } from '#components/layout/keys';
import { SHORTCUTS } from '#components/layout/shortcuts';
import { Dialog } from '#components/ui/dialog';

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
