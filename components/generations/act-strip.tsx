'use client';

import { Ellipsis } from 'lucide-react';
import { ActButton } from '#components/generations/act-button';
import { ActMenu } from '#components/generations/act-menu';
import type { Act, ActId } from '#components/generations/use-acts';
import { Button } from '#components/ui/button';
import { cn } from '#components/ui/cn';

const CELL = 'min-h-14 min-w-11 grow flex-col justify-start gap-1 px-0.5 pt-2.5 text-xs pointer-coarse:min-h-14';

/** For phone widths: the acts used most, with their names below the icons, and a menu of all others. */
export function ActStrip({
  acts,
  first,
  className,
}: {
  acts: readonly Act[];
  /** Acts shown outside of the menu. */
  first: readonly ActId[];
  className: string;
}) {
  const shown = acts.filter(({ id }) => first.includes(id));
  const others = acts.filter(({ id }) => !first.includes(id));
  return (
    <div className={cn('flex flex-wrap', className)}>
      {shown.map(act => (
        <ActButton key={act.id} act={act} className={CELL} />
      ))}
      {others.length > 0 && (
        <ActMenu
          acts={others}
          trigger={
            <Button tone="ghost" size="sm" className={CELL}>
              <Ellipsis className="size-4" aria-hidden />
              More
            </Button>
          }
        />
      )}
    </div>
  );
}
