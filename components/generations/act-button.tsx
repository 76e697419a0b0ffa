'use client';

import Link from 'next/link';
import type { Act } from '#components/generations/use-acts';
import { Button } from '#components/ui/button';
import { cn } from '#components/ui/cn';
import { GemAmount } from '#components/ui/gem-amount';

/** An act as a button or a link, with its name. */
export function ActButton({ act, className }: { act: Act; className?: string }) {
  const { name, icon: Icon, href, file, gems, onPress, isOn, isDanger, why } = act;
  const look = cn('px-2', isDanger && 'hover:text-danger', className);
  const inside = (
    <>
      <Icon className={cn('size-4', isOn && 'fill-current text-accent-ink')} aria-hidden />
      <span className="truncate">{name}</span>
      {!!gems && <GemAmount gems={gems} className="text-faint" />}
    </>
  );
  if (href === undefined) {
    return (
      <Button
        tone="ghost"
        size="sm"
        aria-pressed={isOn}
        disabled={!!why}
        title={why || undefined}
        onClick={onPress}
        className={look}
      >
        {inside}
      </Button>
    );
  }
  return (
    <Button asChild tone="ghost" size="sm" className={look}>
      {file === undefined ? (
        <Link href={href} scroll={false} prefetch={false}>
          {inside}
        </Link>
      ) : (
        <a href={href} download={file}>
          {inside}
        </a>
      )}
    </Button>
  );
}
