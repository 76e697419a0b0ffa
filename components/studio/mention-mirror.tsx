'use client';

import { useEffect, type RefObject } from 'react';
import { Thumb } from '#components/media/thumb';
import type { Mentionable } from '#components/studio/mentionables';
import { cn } from '#components/ui/cn';
import { meaningOf, parseMentions } from '#lib/cast/parse-mentions';

export interface CaretPlace {
  left: number;
  top: number;
  /** Height of the line. */
  line: number;
  /** Width of the field. */
  width: number;
}

interface Props {
  mirror: RefObject<HTMLDivElement | null>;
  field: RefObject<HTMLTextAreaElement | null>;
  text: string;
  mentionables: readonly Mentionable[];
  foreign: ReadonlySet<string>;
  /** Index of the mention that is being typed, which is not marked as unknown yet. */
  typing: number | undefined;
  className: string;
}

/** An invisible copy of the text over the field: it draws the chips and locates each character. */
export function MentionMirror({ mirror, field, text, mentionables, foreign, typing, className }: Props) {
  useEffect(() => {
    const area = field.current;
    if (!area) return;
    const follow = () => {
      if (mirror.current) mirror.current.scrollTop = area.scrollTop;
    };
    area.addEventListener('scroll', follow);
    return () => area.removeEventListener('scroll', follow);
  }, [field, mirror]);

  const known = new Map(mentionables.map(mentionable => [mentionable.handle, mentionable]));
  return (
    <div
      ref={mirror}
      aria-hidden
      dir="auto"
      className={cn('pointer-events-none absolute inset-px overflow-hidden text-transparent', className)}
    >
      {parts(text, handle => known.has(handle) || foreign.has(handle)).map(({ at, part, handle }) =>
        handle === undefined ? (
          <span key={at}>{part}</span>
        ) : (
          <Chip key={at} text={part} mentionable={known.get(handle)} isForeign={foreign.has(handle) || at === typing} />
        ),
      )}
      {'\u200b'}
    </div>
  );
}

function Chip({
  text,
  mentionable,
  isForeign,
}: {
  text: string;
  mentionable: Mentionable | undefined;
  isForeign: boolean;
}) {
  const isFine = mentionable ? mentionable.isTaken : isForeign;
  return (
    <span
      data-mention={isFine ? 'known' : 'unknown'}
      className={cn(
        'rounded-sm box-decoration-clone py-0.5',
        isFine
          ? 'bg-accent/22 shadow-[0_0_0_1px_color-mix(in_srgb,var(--color-accent)_45%,transparent)]'
          : 'bg-danger/14 shadow-[0_0_0_1px_var(--color-danger)]',
      )}
    >
      <span className="relative">
        @
        {mentionable?.image && (
          <Thumb
            file={mentionable.image}
            media="image"
            sizes="1.5rem"
            className="absolute top-1/2 left-1/2 size-[1.15em] max-w-none -translate-1/2 rounded-full"
          />
        )}
      </span>
      {text.slice(1)}
    </span>
  );
}

function parts(text: string, isKnown: (handle: string) => boolean): { at: number; part: string; handle?: string }[] {
  const found = [];
  let end = 0;
  for (const mention of parseMentions(text)) {
    const { index } = mention;
    const handle = meaningOf(mention, isKnown) ?? mention.names[0] ?? '';
    if (index > end) found.push({ at: end, part: text.slice(end, index) });
    end = index + 1 + handle.length;
    found.push({ at: index, part: text.slice(index, end), handle });
  }
  return [...found, { at: end, part: text.slice(end) }];
}

/** Returns the position of the character at `index`, relative to the top left corner of the field. */
export function caretPlace(mirror: HTMLElement | null, field: HTMLElement | null, index: number): CaretPlace {
  const none = { left: 0, top: 0, line: 26, width: 320 };
  if (!mirror || !field) return none;
  const walker = document.createTreeWalker(mirror, NodeFilter.SHOW_TEXT);
  let left = index;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const length = node.textContent?.length ?? 0;
    if (left < length) {
      const range = document.createRange();
      range.setStart(node, left);
      range.setEnd(node, left + 1);
      const letter = range.getBoundingClientRect();
      const frame = field.getBoundingClientRect();
      return { left: letter.left - frame.left, top: letter.top - frame.top, line: letter.height, width: frame.width };
    }
    left -= length;
  }
  return none;
}
