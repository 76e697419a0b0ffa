'use client';

import { use, type ReactNode } from 'react';
import Link from 'next/link';
import { Ellipsis } from 'lucide-react';
import { ActMenu } from '#components/generations/act-menu';
import type { Act, ActId } from '#components/generations/use-acts';
import { Phone } from '#components/layout/phone';
import { cn } from '#components/ui/cn';
import { GemAmount } from '#components/ui/gem-amount';

const QUICK: readonly ActId[] = ['vary', 'edit', 'animate', 'use', 'favourite', 'download'];

/**
 * The acts on a result, drawn over it: the usual ones as icons, whose names show on hover and focus, and a menu of all.
 * On phones there is only the menu.
 */
export function ActBar({
  acts,
  of,
  isTwice,
}: {
  acts: readonly Act[];
  /** Prompt of the result, by which screen readers distinguish the bars. */
  of: string;
  /** Whether the acts are also shown beside the result, so that Tab need not reach the icons. */
  isTwice?: boolean | undefined;
}) {
  const isPhone = use(Phone);
  if (acts.length === 0) return null;
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- these are not form fields, so no fieldset
    <div role="group" aria-label={`Actions: ${of}`} className="act-bar">
      {!isPhone &&
        QUICK.map(id => acts.find(act => act.id === id)).map(
          act => act && <QuickAct key={act.id} act={act} tabIndex={isTwice ? -1 : undefined} />,
        )}
      <ActMenu
        acts={acts}
        trigger={
          <button type="button" className="act pointer-coarse:flex">
            <Ellipsis className="size-4.5" aria-hidden />
            <ActName>More</ActName>
          </button>
        }
      />
    </div>
  );
}

function QuickAct({ act, tabIndex }: { act: Act; tabIndex: -1 | undefined }) {
  const { name, icon: Icon, href, file, gems, onPress, isOn } = act;
  const look = { tabIndex, className: cn('act', isOn && 'text-[#ff9a66]') };
  const inside = (
    <>
      <Icon className={cn('size-4.5', isOn && 'fill-current')} aria-hidden />
      <ActName>
        {name}
        {!!gems && <GemAmount gems={gems} className="ml-1.5" />}
      </ActName>
    </>
  );
  if (file !== undefined) {
    return (
      <a href={href} download={file} {...look}>
        {inside}
      </a>
    );
  }
  return href ? (
    <Link href={href} scroll={false} prefetch={false} {...look}>
      {inside}
    </Link>
  ) : (
    <button type="button" aria-pressed={isOn} onClick={onPress} {...look}>
      {inside}
    </button>
  );
}

const ActName = ({ children }: { children: ReactNode }) => <span className="act-name">{children}</span>;
