import { useEffect, useEffectEvent } from 'react';
import { isText } from '#components/ui/use-undo-keys';

/** Whether the target uses the key itself: for text, to find an option, or because Space presses it. */
const takes = (target: EventTarget | null, key: string): boolean =>
  isText(target) ||
  (target instanceof Element && target.closest(key === ' ' ? 'button, a, label' : 'select, [role=menu]') !== null);

/** Reports keys without modifiers, on press and release, wherever the focus is, except on elements that use them. */
export function usePageKeys(onKey: (event: KeyboardEvent) => void) {
  const tell = useEffectEvent((event: KeyboardEvent) => {
    const isAlone = !event.ctrlKey && !event.metaKey && !event.altKey && !event.defaultPrevented;
    if (event.type === 'keyup' || (isAlone && !takes(event.target, event.key))) onKey(event);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => tell(event);
    addEventListener('keydown', listen);
    addEventListener('keyup', listen);
    return () => {
      removeEventListener('keydown', listen);
      removeEventListener('keyup', listen);
    };
  }, []);
}
