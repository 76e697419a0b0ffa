import { useState } from 'react';
import { focusBack } from '#components/ui/focus-back';

// apart from the rest of it: only what opens over a page needs this

const FOCUSABLE = 'a[href], [tabindex="0"], :is(button, input, select, textarea):enabled';
const focusableIn = (place: ParentNode) => [...place.querySelectorAll<HTMLElement>(FOCUSABLE)];

/** Where an element is, to find what took its place, or came after it, when it is gone. */
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
 * For `onCloseAutoFocus` of what opens without a trigger, which would leave the focus nowhere. What deletes a row takes its
 * opener along: the focus is then where that was.
 */
export function useFocusBack(to?: () => HTMLElement | null): (event: Event) => void {
  // the server draws nothing of it
  const [opener] = useState(() => (typeof document === 'undefined' ? null : (document.activeElement as HTMLElement)));
  const [there] = useState(() => opener && placeOf(opener));
  return event => {
    event.preventDefault();
    focusBack(to?.() ?? opener);
    if (document.activeElement === document.body && opener?.isConnected === false) there?.()?.focus();
  };
}
