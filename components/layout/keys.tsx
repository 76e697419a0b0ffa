'use client';

import { useSyncExternalStore } from 'react';
import { cn } from '#components/ui/cn';

const never = () => () => {
  // a keyboard does not change while the page is open
};
const isMac = () => /Mac|iPhone|iPad/.test(navigator.platform);

/** Keys to press, labelled for the user's platform. */
export function Keys({ keys, className }: { keys: readonly string[]; className?: string }) {
  const mac = useSyncExternalStore(never, isMac, () => false);
  return (
    <span className={cn('inline-flex items-center gap-1.5', className)}>
      {keys.map((key, index) => (
        <kbd key={index} className="rounded-sm border border-edge/50 px-1.5 py-px font-sans text-xs text-soft">
          {key.replace('Mod', mac ? '⌘' : 'Ctrl').replace('Enter', '↵')}
        </kbd>
      ))}
    </span>
  );
}
