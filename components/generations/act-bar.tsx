'use client';

import type { ReactNode } from 'react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { Ellipsis } from 'lucide-react';
import type { Act, ActId } from '#components/generations/use-acts';
import { cn } from '#components/ui/cn';
import { DropdownMenu } from '#components/ui/dropdown-menu';
import type { MenuItem } from '#components/ui/dropdown-menu-open';

const QUICK: readonly ActId[] = ['vary', 'edit', 'animate', 'use', 'favourite', 'download'];

/** Where the menu goes from what makes more of a result to what keeps it, takes it along, and ends it. */
const PARTS: readonly ActId[] = ['favourite', 'download', 'delete'];

/**
 * What can be done with a result, on the result: the usual acts by icon, all of them in a menu. A name shows with hover and
 * focus; a finger gets the menu, which has every name.
 */
export function ActBar({ acts, of }: { acts: readonly Act[]; /** The prompt, to tell bars apart. */ of: string }) {
  const router = useRouter();
  if (acts.length === 0) return null;
  const items = acts.flatMap((act): MenuItem[] => {
    const { id, name, icon: Icon, href, file, onPress, isDanger, isOn } = act;
    const item = { label: isOn ? `${name}: take back` : name, icon: <Icon aria-hidden />, danger: isDanger ?? false };
    const line: MenuItem[] = PARTS.includes(id) ? [{ kind: 'line' }] : [];
    if (file !== undefined && href) return [...line, { ...item, kind: 'link', href, file }];
    return [...line, { ...item, onSelect: onPress ?? (() => router.push(href ?? '', { scroll: false })) }];
  });
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- no fields of a form
    <div role="group" aria-label={`Acts: ${of}`} className="act-bar">
      {QUICK.map(id => acts.find(act => act.id === id)).map(act => act && <QuickAct key={act.id} act={act} />)}
      <DropdownMenu
        align="end"
        trigger={
          <button type="button" className="act pointer-coarse:flex">
            <Ellipsis className="size-4.5" aria-hidden />
            <ActName>More</ActName>
          </button>
        }
        items={items}
      />
    </div>
  );
}

function QuickAct({ act: { name, icon: Icon, href, file, onPress, isOn } }: { act: Act }) {
  const look = cn('act', isOn && 'text-[#ff9a66]');
  const inside = (
    <>
      <Icon className={cn('size-4.5', isOn && 'fill-current')} aria-hidden />
      <ActName>{name}</ActName>
    </>
  );
  if (file !== undefined) {
    return (
      <a href={href} download={file} className={look}>
        {inside}
      </a>
    );
  }
  return href ? (
    <Link href={href} scroll={false} prefetch={false} className={look}>
      {inside}
    </Link>
  ) : (
    <button type="button" aria-pressed={isOn} onClick={onPress} className={look}>
      {inside}
    </button>
  );
}

const ActName = ({ children }: { children: ReactNode }) => <span className="act-name">{children}</span>;
