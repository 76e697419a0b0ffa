import { useState } from 'react';
import { focusBack } from '#components/ui/focus-back';

// separate from focus-back.ts, because only layers over a page need this

const FOCUSABLE = 'a[href], [tabindex="0"], :is(button, input, select, textarea):enabled';
const focusableIn = (place: ParentNode) => [...place.querySelectorAll<HTMLElement>(FOCUSABLE)];

/** Records the position of an element; the result finds what replaced or followed it once it is removed. */
function placeOf(element: HTMLElement): () => HTMLElement | undefined {
  const around: HTMLElement[] = [];
  for (let place = element.parentElement; place; place = place.parentElement) around.push(place);
  const before = new Set(
    focusableIn(document).filter(one => one.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING),
  );
  return () => {
    for (const place of around.filter(({ isConnected }) => isConnected)) {
      const there = focusableIn(place).filter(one => one.checkVisibility());
      if (there.length > 0) return there.find(one => !before.has(one)) ?? there.at(-1);
    }
    return undefined;
  };
}

/**
 * Returns the `onCloseAutoFocus` of a layer without a trigger, which would otherwise lose the focus. If the opener was
 * deleted, for instance along with its row, the focus goes to its former place.
 */
export function useFocusBack(to?: () => HTMLElement | null): (event: Event) => void {
  // the server renders nothing of such a layer
  const [opener] = useState(() => (typeof document === 'undefined' ? null : (document.activeElement as HTMLElement)));
  const [there] = useState(() => opener && placeOf(opener));
  return event => {
    event.preventDefault();
    focusBack(to?.() ?? opener);
    if (document.activeElement === document.body && opener?.isConnected === false) there?.()?.focus();
  };
}
