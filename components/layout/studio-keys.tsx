'use client';

import { useEffect, useEffectEvent, useRef } from 'react';
import { useRouter } from 'next/navigation';
import { Search } from 'lucide-react';
import { early, showOverlay, useOverlay } from '#components/layout/overlays';
import { PAGES } from '#components/layout/shortcuts';
import { onDemand, Opening } from '#components/ui/on-demand';

// most visits open neither, so their code loads on demand
const CommandPalette = onDemand(async () => (await import('#components/layout/command-palette')).CommandPalette);
const ShortcutSheet = onDemand(async () => (await import('#components/layout/shortcut-sheet')).ShortcutSheet);

/** Time within which a letter must follow G, in milliseconds. */
const CHORD_MS = 1200;

/** Global keyboard shortcuts: palette, shortcut sheet and navigation. Rendered once, in the shell. */
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
      // not over another open dialog
      if (overlay === 'palette') close();
      else if (!document.querySelector('[role=dialog]') || overlay) showOverlay('palette');
      return;
    }
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    if (overlay === 'palette' && !document.querySelector('[role=dialog]')) {
      // the code of the palette is still loading
      if (event.key.length === 1) early.set(early.get() + event.key);
      else if (key === 'backspace') early.set(early.get().slice(0, -1));
      else return;
      event.preventDefault();
      return;
    }
    if (isIn(event.target, LETTERS)) return;
    // the sheet would replace the composer overlay
    if (event.key === '?' && overlay !== 'composer') {
      event.preventDefault();
      showOverlay('shortcuts');
    } else if (isIn(event.target, '[role=dialog]')) {
      // letters do not navigate away from an open dialog
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

/** Elements that handle letters themselves: fields, and open menus and lists. */
const LETTERS =
  'input:not([type=radio], [type=checkbox], [type=range]), textarea, select, [contenteditable], [role=menu], [role=listbox]';

const isIn = (target: EventTarget | null, places: string): boolean =>
  target instanceof Element && target.closest(places) !== null;

/** Button that opens the palette. */
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
