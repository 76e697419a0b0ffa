'use client';

import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { X } from 'lucide-react';
import { Toast as Radix } from 'radix-ui';
import { Button } from '#components/ui/button';
import { cn } from '#components/ui/cn';
import { focusBack } from '#components/ui/focus-back';
import { IconButton } from '#components/ui/icon-button';
import { isPageCovered, useCloseRequests } from '#components/ui/use-close-requests';

export interface Notice {
  title: string;
  description?: ReactNode;
  tone?: 'neutral' | 'good' | 'bad';
  action?: { label: string; onPress: () => void };
  /** Display time in milliseconds; by default failures stay until they are closed. */
  duration?: number;
}

export type Shown = Notice & { id: number };

const EDGES = { neutral: 'before:bg-edge', good: 'before:bg-leaf', bad: 'before:bg-danger' };

export function ToastList({ notices, onDismiss }: { notices: readonly Shown[]; onDismiss: (id: number) => void }) {
  return (
    <Radix.Provider swipeDirection="right" duration={5000}>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- handles keys pressed in the toasts */}
      <div
        ref={useReach(notice => onDismiss(Number(notice?.id) || notices.at(-1)!.id))}
        // Escape pressed in a toast closes that toast, and not the layer below
        onKeyDown={event => event.key === 'Escape' && event.preventDefault()}
      >
        {notices.map(notice => (
          <Toast key={notice.id} notice={notice} onDismiss={() => onDismiss(notice.id)} />
        ))}
        {/* `aria-live` keeps an open dialog from hiding this from screen readers */}
        <Radix.Viewport
          aria-live="off"
          className="toasts pointer-events-none fixed inset-x-4 z-60 mx-auto grid max-w-md gap-2 rounded-md"
        />
      </div>
    </Radix.Provider>
  );
}

/**
 * Lets the focus enter the toasts even if a dialog traps it; Escape then closes the focused toast. When the last toast
 * is removed, the focus returns to where it came from, as it would be lost otherwise.
 */
function useReach(onEscape: (notice: Element | null) => void) {
  const part = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState<HTMLElement | null>(null);
  useLayoutEffect(() => {
    const notices = part.current!;
    let from: HTMLElement | null = null;
    const isOutside = (element: EventTarget | null): element is HTMLElement =>
      element instanceof HTMLElement && element !== document.body && !notices.contains(element);
    // a dialog takes back focus that moves to another element, but not focus that is dropped
    const letGo = ({ key }: KeyboardEvent) => {
      if (key !== 'F8' || !isOutside(document.activeElement)) return;
      from = document.activeElement;
      document.activeElement.blur();
    };
    const onFocus = (event: FocusEvent) => {
      event.stopPropagation();
      const isIn = event.type === 'focusin';
      if (isIn && isOutside(event.relatedTarget)) from = event.relatedTarget;
      setFocused(isIn ? (event.target as HTMLElement) : null);
    };
    addEventListener('keydown', letGo, true);
    for (const type of ['focusin', 'focusout'] as const) notices.addEventListener(type, onFocus);
    return () => {
      removeEventListener('keydown', letGo, true);
      if (notices.contains(document.activeElement)) focusBack(from);
    };
  }, []);
  useCloseRequests(() => {
    const notice = focused!.closest('li');
    // the focused toast is removed while others may stay, so the list takes the focus
    notice?.parentElement?.focus();
    onEscape(notice);
  }, focused !== null);
  return part;
}

function Toast({ notice, onDismiss }: { notice: Shown; onDismiss: () => void }) {
  const { id, title, description, tone = 'neutral', action, duration } = notice;
  const isForOther = useRef(false);
  return (
    <Radix.Root
      open
      id={String(id)}
      type={tone === 'bad' ? 'foreground' : 'background'}
      duration={duration ?? (tone === 'bad' ? Infinity : undefined)}
      // the newest toast receives every Escape: a layer over the page comes first, and a toast with an action closes
      // only when Escape is pressed inside the toasts
      onEscapeKeyDown={({ target }) => {
        isForOther.current = !(target as Element).closest('.toasts') && (!!action || isPageCovered());
      }}
      onOpenChange={() => {
        if (!isForOther.current) onDismiss();
        isForOther.current = false;
      }}
      className={cn(
        'animate-rise relative flex items-start gap-3 overflow-hidden rounded-md border bg-raised py-3 pr-2 pl-5 shadow-float',
        // a mouse can reach the page below the text; a finger needs the text to swipe the toast away
        'pointer-coarse:pointer-events-auto [&_button]:pointer-events-auto',
        'before:absolute before:inset-y-0 before:left-0 before:w-1 data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)',
        EDGES[tone],
      )}
    >
      <div className="grid grow grid-cols-1 gap-0.5 py-1 wrap-anywhere">
        <Radix.Title className="text-sm font-medium">{title}</Radix.Title>
        {description && <Radix.Description className="text-sm text-soft">{description}</Radix.Description>}
      </div>
      {action && (
        <Radix.Action asChild altText={action.label}>
          <Button size="sm" onClick={action.onPress}>
            {action.label}
          </Button>
        </Radix.Action>
      )}
      <Radix.Close asChild>
        <IconButton label="Close" size="sm" icon={<X className="size-4" aria-hidden />} />
      </Radix.Close>
    </Radix.Root>
  );
}
