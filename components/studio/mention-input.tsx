'use client';

import { useEffect, useRef, useState, type DragEvent, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import type { Carried } from '#components/carry/carried';
import { draggedKinds, droppedMedia } from '#components/carry/drag';
import { caretPlace, MentionMirror } from '#components/studio/mention-mirror';
import type { Mentionable } from '#components/studio/mentionables';
import { cn } from '#components/ui/cn';
import { onDemand, Opening } from '#components/ui/on-demand';
import { sendForm } from '#components/ui/send-form';
import { useCloseRequests } from '#components/ui/use-close-requests';
import { TYPED_MENTION } from '#lib/cast/parse-mentions';

const MentionMenu = onDemand(async () => (await import('#components/studio/mention-menu')).MentionMenu);

interface MentionInputProps {
  id: string;
  value: string;
  onChange: (value: string) => void;
  mentionables: readonly Mentionable[];
  /** Whether the model takes any mentions. */
  canMention: boolean;
  /** Valid handles that are not in `mentionables`. */
  foreign: ReadonlySet<string>;
  placeholder?: string;
  rows?: number;
  autoFocus?: boolean;
  className?: string;
  /** Called with media dropped on the text. */
  onMedia?: (carried: readonly Carried[]) => void;
  /** Called with keys that the list of mentions does not handle. */
  onKeys?: (event: KeyboardEvent<HTMLTextAreaElement>) => void;
  /** Called with whether a mention is being typed that still matches something. */
  onMentioning: (is: boolean) => void;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: boolean | undefined;
}

const MOST = 8;

/** A text field in which `@` offers mentions. The value is plain text; the chips are drawn over it. */
export function MentionInput({
  value,
  onChange,
  mentionables,
  canMention,
  foreign,
  onMedia,
  onKeys,
  onMentioning,
  rows = 4,
  className,
  ...rest
}: MentionInputProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState<number | null>(null);
  const [active, setActive] = useState(0);
  const [isDismissed, setDismissed] = useState(false);
  const mirror = useRef<HTMLDivElement>(null);

  const typed = caret === null || isDismissed ? null : TYPED_MENTION.exec(value.slice(0, caret));
  const found = typed ? search(mentionables, typed[1] ?? '') : [];
  const isOpen = found.length > 0;
  const isNobody = typed !== null && canMention && mentionables.length === 0;
  const menuId = `${rest.id}-mentions`;
  useEffect(() => onMentioning(isOpen), [isOpen, onMentioning]);
  const dismiss = () => {
    setDismissed(true);
    // the focus may be on a link inside the menu
    field.current?.focus();
  };
  useCloseRequests(dismiss, isOpen || isNobody);

  function take({ handle }: Mentionable) {
    if (!typed || caret === null) return;
    const behind = value.slice(caret);
    // the caret may be inside a handle
    const [end = ''] = /^[\w-]*/.exec(behind) ?? [];
    const isOfHandle = handle.startsWith(`${typed[1] ?? ''}${end}`.toLowerCase());
    const after = isOfHandle ? behind.slice(end.length) : behind;
    const text = `@${handle}${/^\s/.test(after) ? '' : ' '}`;
    // the caret can be set only after the new text is rendered
    flushSync(() => onChange(value.slice(0, typed.index) + text + after));
    field.current?.focus();
    field.current?.setSelectionRange(typed.index + text.length, typed.index + text.length);
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    // these keys choose among the suggestions of an input method
    if (event.nativeEvent.isComposing) return;
    sendForm(event);
    if (!isOpen) return onKeys?.(event);
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = found[active] ?? found[0];
    if (move) setActive((active + move + found.length) % found.length);
    else if ((event.key === 'Enter' || event.key === 'Tab') && chosen) take(chosen);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  function onDrop(event: DragEvent<HTMLTextAreaElement>) {
    if (!onMedia || !draggedKinds(event).includes('image')) return;
    event.preventDefault();
    event.stopPropagation();
    onMedia(droppedMedia(event).filter(({ media }) => media === 'image'));
    event.currentTarget.focus();
  }

  return (
    // the empty menu contains links: the focus may move to them without closing the menu
    <div
      className="relative"
      onBlur={({ currentTarget, relatedTarget }) => !currentTarget.contains(relatedTarget) && setCaret(null)}
    >
      <textarea
        ref={field}
        rows={rows}
        dir="auto"
        maxLength={100_000}
        value={value}
        className={cn(
          'control field-sizing-content max-h-96 resize-none text-base focus-visible:outline-1 md:text-base',
          TEXT,
          className,
        )}
        aria-autocomplete="list"
        aria-controls={isOpen ? menuId : undefined}
        aria-activedescendant={isOpen ? `${menuId}-${active}` : undefined}
        onChange={event => {
          setDismissed(false);
          setActive(0);
          setCaret(event.target.selectionStart);
          onChange(event.target.value);
        }}
        onSelect={({ currentTarget: { selectionStart } }) => {
          // moving the caret into a mention does not open the menu, only typing does
          if (selectionStart !== caret) setDismissed(true);
          setCaret(selectionStart);
        }}
        onFocus={MentionMenu.near}
        onKeyDown={onKeyDown}
        onDragOver={event => onMedia && draggedKinds(event).includes('image') && event.preventDefault()}
        onDrop={onDrop}
        {...rest}
      />
      <MentionMirror
        mirror={mirror}
        field={field}
        text={value}
        mentionables={mentionables}
        foreign={foreign}
        typing={typed?.index}
        className={TEXT}
      />
      {(isOpen || isNobody) && (
        <Opening onClose={dismiss}>
          <MentionMenu
            id={menuId}
            found={found}
            active={active}
            locate={() => caretPlace(mirror.current, field.current, typed?.index ?? 0)}
            onTake={take}
          />
        </Opening>
      )}
      <p aria-live="polite" className="sr-only">
        {isOpen && `${found.length} to mention. Arrow keys choose, Enter adds.`}
      </p>
    </div>
  );
}

/** Shared by the text field and its mirror, which must wrap lines identically. */
const TEXT = 'px-3.5 py-3 font-sans text-base leading-6.5 tracking-normal whitespace-pre-wrap wrap-anywhere';

function search(mentionables: readonly Mentionable[], word: string): Mentionable[] {
  const wanted = word.toLowerCase();
  const starts = (text: string) => text.toLowerCase().startsWith(wanted);
  return mentionables
    .filter(({ isTaken, handle, name }) => isTaken && (handle.includes(wanted) || name.toLowerCase().includes(wanted)))
    .toSorted((a, b) => Number(starts(b.handle)) - Number(starts(a.handle)))
    .slice(0, MOST);
}
