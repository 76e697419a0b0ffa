'use client';

import type { ReactNode } from 'react';
import { Command } from 'cmdk';
import type { MediaFile } from '#components/media/picture';
import { Thumb } from '#components/media/thumb';

/** A group of rows. `isFound`: its rows come from a search and are shown unfiltered; others are filtered by name. */
export function Group({ heading, isFound, children }: { heading: string; isFound?: boolean; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      forceMount={isFound ?? false}
      className="pb-2 [&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-faint"
    >
      {children}
    </Command.Group>
  );
}

/** A selectable row. */
export function Row({
  id,
  isFound,
  icon,
  name,
  words = [],
  onSelect,
  children,
}: {
  /** Unique id where names may repeat; it is not searched. */
  id?: string;
  isFound?: boolean;
  icon: ReactNode;
  name: string;
  /** Further search terms. */
  words?: string[];
  onSelect: () => void;
  children?: ReactNode;
}) {
  return (
    <Command.Item
      value={id ?? name}
      forceMount={isFound ?? false}
      keywords={[name, ...words]}
      onSelect={onSelect}
      className="flex min-h-10 cursor-pointer items-center gap-3 rounded-md px-3 text-sm data-[selected=true]:bg-ink/8 [&_svg]:size-5 [&_svg]:shrink-0"
    >
      <span className="shrink-0 text-faint" aria-hidden>
        {icon}
      </span>
      <span dir="auto" className="grow truncate text-left">
        {name}
      </span>
      {children}
    </Command.Item>
  );
}

export const Portrait = ({ file }: { file: MediaFile }) => (
  <Thumb file={file} media="image" sizes="1.25rem" className="size-5 rounded-sm" />
);
