'use client';

import { useEffect, useEffectEvent, useRef } from 'react';
import { useRouter } from 'next/navigation';
import { Search } from 'lucide-react';
import { early, showOverlay, useOverlay } from '#components/layout/overlays';
import { PAGES } from '#components/layout/shortcuts';
import { onDemand, Opening } from '#components/ui/on-demand';

// most visits call up neither: what draws them comes when it is asked for
const CommandPalette = onDemand(async () => (await import('#components/layout/command-palette')).CommandPalette);
const ShortcutSheet = onDemand(async () => (await import('#components/layout/shortcut-sheet')).ShortcutSheet);

/** How long the letter after G is waited for. */
const CHORD_MS = 1200;

/** The keyboard of every page: palette, help sheet, ways between pages. One stands in the shell. */
export function StudioKeys({ operator }: { operator: boolean }) {
  const router = useRouter();
  const overlay = useOverlay();
  const began = useRef(-Infinity);

  const close = () => {
    early.set('');
    showOverlay(null);
  };
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return;
    const key = event.key.toLowerCase();
    if ((event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey && key === 'k') {
      event.preventDefault();
      // a dialog that is open keeps the keyboard
      if (overlay === 'palette') close();
      else if (!document.querySelector('[role=dialog]') || overlay) showOverlay('palette');
      return;
    }
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    if (overlay === 'palette' && !document.querySelector('[role=dialog]')) {
      // its code is on its way
      if (event.key.length === 1) early.set(early.get() + event.key);
      else if (key === 'backspace') early.set(early.get().slice(0, -1));
      else return;
      event.preventDefault();
      return;
    }
    if (isIn(event.target, LETTERS)) return;
    // the folded form would go for the sheet
    if (event.key === '?' && overlay !== 'composer') {
      event.preventDefault();
      showOverlay('shortcuts');
    } else if (isIn(event.target, '[role=dialog]')) {
      // one that is open may be asked about, and is not left by a letter
      return;
    } else if (key === 'g') {
      began.current = event.timeStamp;
    } else {
      const page = PAGES.find(({ letter }) => letter === key);
      if (page && event.timeStamp - began.current < CHORD_MS) router.push(page.href);
      began.current = -Infinity;
    }
  });

  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);

  return (
    <Opening onClose={close}>
      {overlay === 'palette' && <CommandPalette operator={operator} onClose={close} />}
      {overlay === 'shortcuts' && <ShortcutSheet onClose={close} />}
    </Opening>
  );
}

/** What has letters of its own: fields, and a menu or list that is open. */
const LETTERS =
  'input:not([type=radio], [type=checkbox], [type=range]), textarea, select, [contenteditable], [role=menu], [role=listbox]';

const isIn = (target: EventTarget | null, places: string): boolean =>
  target instanceof Element && target.closest(places) !== null;

/** Says that there is a palette, and opens it. */
export function PaletteButton() {
  return (
    <button type="button" onClick={() => showOverlay('palette')} className="palette-button">
      <Search className="size-5" aria-hidden />
      <span>
        Find<span className="sr-only">, Ctrl K</span>
      </span>
    </button>
  );
}
