import { useEffect, useEffectEvent } from 'react';
import { isText } from '#components/ui/use-undo-keys';

/** What has letters of its own, or is pressed by Space. */
const takes = (target: EventTarget | null, key: string): boolean =>
  isText(target) ||
  (target instanceof Element && target.closest(key === ' ' ? 'button, a, label' : 'select, [role=menu]') !== null);

/** Tells of keys alone, pressed and let go, wherever on the page the focus is, except at what takes them itself. */
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
