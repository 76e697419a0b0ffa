'use client';

import type { ReactNode } from 'react';
import { Tabs as Radix } from 'radix-ui';

type Tab = { value: string; label: ReactNode; content: ReactNode };

/** Views of one thing on one page. Views with their own URLs are links: `NavLink` in `components/layout`. */
export function Tabs({
  label,
  tabs,
  defaultValue = tabs[0]?.value,
  className,
}: {
  label: string;
  tabs: readonly Tab[];
  defaultValue?: string;
  className?: string;
}) {
  return (
    <Radix.Root defaultValue={defaultValue} className={className}>
      <Radix.List aria-label={label} className="tab-row">
        {tabs.map(tab => (
          <Radix.Trigger key={tab.value} value={tab.value} className="tab-label">
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map(tab => (
        <Radix.Content key={tab.value} value={tab.value} className="pt-6">
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
