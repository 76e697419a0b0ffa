'use client';

import { useEffectEvent, useLayoutEffect, useRef, useState, type CSSProperties } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Mic } from 'lucide-react';
import { Thumb } from '#components/media/thumb';
import type { CaretPlace } from '#components/studio/mention-mirror';
import type { Mentionable } from '#components/studio/mentionables';
import { cn } from '#components/ui/cn';
import { TextLink } from '#components/ui/text-link';
import { charactersQuery, referencesQuery } from '#lib/client/cast-queries';

/** Menu of mentions, or a note that none are saved yet; below the caret, or above it if there is no room below. */
export function MentionMenu({
  id,
  found,
  active,
  locate,
  onTake,
}: {
  id: string;
  found: readonly Mentionable[];
  active: number;
  /** Returns where the mention starts, relative to the top left corner of the field. */
  locate: () => CaretPlace;
  onTake: (mentionable: Mentionable) => void;
}) {
  const list = useRef<HTMLDivElement>(null);
  const [style, setStyle] = useState<CSSProperties>({ visibility: 'hidden' });
  const find = useEffectEvent(() => {
    const menu = list.current;
    const frame = menu?.parentElement?.getBoundingClientRect();
    if (!menu || !frame) return;
    const { left, top, line, width } = locate();
    // an on-screen keyboard shrinks only the visual viewport
    const below = (window.visualViewport?.height ?? innerHeight) - (frame.top + top + line);
    const isAbove = below < menu.offsetHeight + 12 && frame.top + top > below;
    const x = Math.max(0, Math.min(left - 8, width - menu.offsetWidth));
    setStyle(isAbove ? { left: x, bottom: `calc(100% - ${top - 6}px)` } : { left: x, top: top + line + 6 });
  });
  const characters = useQuery(charactersQuery);
  const references = useQuery(referencesQuery);
  const isNobody = found.length === 0 && characters.isSuccess && references.isSuccess;
  // `found` is a new array whenever the text changes, which may move the mention to another line
  useLayoutEffect(() => (found.length || isNobody ? find() : undefined), [found, isNobody]);
  useLayoutEffect(() => void list.current?.children[active]?.scrollIntoView({ block: 'nearest' }), [active]);
  if (found.length === 0 && !isNobody) return null;
  return (
    <div
      ref={list}
      id={id}
      // a native list would take the focus from the text
      role={isNobody ? 'status' : 'listbox'}
      aria-label="Mention"
      className="animate-fade-in absolute z-40 max-h-64 w-72 max-w-full scroll-shade overflow-y-auto overscroll-contain rounded-md border p-1 shadow-float"
      style={style}
    >
      {isNobody && <Nobody />}
      {found.map((mentionable, index) => (
        // the focus stays in the text field, whose `aria-activedescendant` names the active option
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
        <div
          key={mentionable.handle}
          id={`${id}-${index}`}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
          role="option"
          aria-selected={index === active}
          onPointerDown={event => event.preventDefault()}
          onClick={() => onTake(mentionable)}
          className={cn(
            'flex min-h-11 cursor-pointer items-center gap-3 rounded-sm px-2',
            index === active && 'bg-ink/8',
          )}
        >
          <Portrait mentionable={mentionable} />
          <span className="min-w-0 grow">
            <span dir="auto" className="block truncate text-left text-sm font-medium">
              {mentionable.name}
            </span>
            <span className="block truncate text-xs text-soft">
              @{mentionable.handle} · {mentionable.kind}
            </span>
          </span>
          {mentionable.kind === 'character' && mentionable.hasVoice && (
            <Mic className="size-4 text-faint" aria-label="has a voice" />
          )}
        </div>
      ))}
    </div>
  );
}

/** Pressing a link keeps the focus in the text field; otherwise the menu would close before the click. */
const Nobody = () => (
  <p className="p-2 text-sm text-soft">
    None saved yet. What you add to{' '}
    <TextLink href="/characters?new" onPointerDown={event => event.preventDefault()}>
      Characters
    </TextLink>{' '}
    or{' '}
    <TextLink href="/references?new" onPointerDown={event => event.preventDefault()}>
      References
    </TextLink>{' '}
    can be mentioned here.
  </p>
);

function Portrait({ mentionable: { kind, image } }: { mentionable: Mentionable }) {
  const shape = cn('size-8 shrink-0', kind === 'character' ? 'rounded-full' : 'rounded-sm');
  return (
    <Thumb file={image ?? { url: '' }} media={kind === 'audio' ? 'audio' : 'image'} sizes="2rem" className={shape} />
  );
}
