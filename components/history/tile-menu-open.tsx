'use client';

import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useActItems } from '#components/generations/act-menu';
import { useActs } from '#components/generations/use-acts';
import { DropdownMenuOpen } from '#components/ui/dropdown-menu-open';
import { catalogQuery } from '#lib/client/queries';
import type { RequestWire } from '#lib/contract/schemas';

export function TileMenuOpen({
  request,
  trigger,
  within,
}: {
  request: RequestWire;
  trigger: ReactNode;
  within: HTMLElement;
}) {
  const { data: entries = [], isPending } = useQuery(catalogQuery);
  const items = useActItems(useActs(request, entries));
  // waits for the catalog: items added later would move those that the user is about to press
  return isPending ? trigger : <DropdownMenuOpen trigger={trigger} items={items} within={within} />;
}
