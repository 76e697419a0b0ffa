'use client';

import type { ReactNode } from 'react';
import { useRouter } from 'next/navigation';
import type { Act, ActId } from '#components/generations/use-acts';
import { DropdownMenu } from '#components/ui/dropdown-menu';
import type { MenuItem } from '#components/ui/dropdown-menu-open';

/** Acts before which the menu draws a line: they keep a result, download it and delete it. */
const PARTS: readonly ActId[] = ['favourite', 'download', 'delete'];

/** A menu of acts by name. */
export const ActMenu = ({ acts, trigger }: { acts: readonly Act[]; trigger: ReactNode }) => (
  <DropdownMenu align="end" trigger={trigger} items={useActItems(acts)} />
);

/** Returns acts as the rows of a menu. */
export function useActItems(acts: readonly Act[]): MenuItem[] {
  const router = useRouter();
  return acts.flatMap((act, index): MenuItem[] => {
    const { id, name, icon: Icon, href, file, gems, onPress, isDanger, isOn, why } = act;
    const item = { label: isOn ? `${name}: undo` : name, icon: <Icon aria-hidden />, danger: isDanger ?? false };
    const line: MenuItem[] = index > 0 && PARTS.includes(id) ? [{ kind: 'line' }] : [];
    if (file !== undefined && href) return [...line, { ...item, kind: 'link', href, file }];
    const onSelect = onPress ?? (() => router.push(href ?? '', { scroll: false }));
    const label = why ? <Barred name={name} why={why} /> : item.label;
    return [...line, { ...item, label, gems, disabled: !!why, onSelect }];
  });
}

const Barred = ({ name, why }: { name: string; why: string }) => (
  <>
    {name}
    <span className="block text-xs">{why}</span>
  </>
);
