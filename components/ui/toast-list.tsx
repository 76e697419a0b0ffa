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
  /** Milliseconds; failures stay until closed. */
  duration?: number;
}

export type Shown = Notice & { id: number };

const EDGES = { neutral: 'before:bg-edge', good: 'before:bg-leaf', bad: 'before:bg-danger' };

export function ToastList({ notices, onDismiss }: { notices: readonly Shown[]; onDismiss: (id: number) => void }) {
  return (
    <Radix.Provider swipeDirection="right" duration={5000}>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys are of what stands in it */}
      <div
        ref={useReach(notice => onDismiss(Number(notice?.id) || notices.at(-1)!.id))}
        // one that was pressed in a notice closes that, and nothing below
        onKeyDown={event => event.key === 'Escape' && event.preventDefault()}
      >
        {notices.map(notice => (
          <Toast key={notice.id} notice={notice} onDismiss={() => onDismiss(notice.id)} />
        ))}
        {/* live: a dialog hides all else from screen readers */}
        <Radix.Viewport
          aria-live="off"
          className="toasts pointer-events-none fixed inset-x-4 z-60 mx-auto grid max-w-md gap-2 rounded-md"
        />
      </div>
    </Radix.Provider>
  );
}

/**
 * Focus comes in over a dialog, too, which keeps it otherwise; an Escape is for what has it then. With the last notice it goes back to
 * where it came from: it would go with it.
 */
function useReach(onEscape: (notice: Element | null) => void) {
  const part = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState<HTMLElement | null>(null);
  useLayoutEffect(() => {
    const notices = part.current!;
    let from: HTMLElement | null = null;
    const isOutside = (element: EventTarget | null): element is HTMLElement =>
      element instanceof HTMLElement && element !== document.body && !notices.contains(element);
    // a dialog fetches back what goes elsewhere, not what goes nowhere
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
    // what is focused goes, and others may stay
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
      // the newest hears it wherever it was pressed: what lies over the page comes first, and one that offers something goes by its own alone
      onEscapeKeyDown={({ target }) => {
        isForOther.current = !(target as Element).closest('.toasts') && (!!action || isPageCovered());
      }}
      onOpenChange={() => {
        if (!isForOther.current) onDismiss();
        isForOther.current = false;
      }}
      className={cn(
        'animate-rise relative flex items-start gap-3 overflow-hidden rounded-md border bg-raised py-3 pr-2 pl-5 shadow-float',
        // a mouse reaches what is under the words; a finger swipes them away
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
