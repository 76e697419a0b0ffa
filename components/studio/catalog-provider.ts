'use client';

import { useState, type ReactNode } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import { catalogQuery } from '#lib/client/queries';

/** Gives pages the catalog that the server had at hand, so that the first render knows it. */
export function CatalogProvider({ architectures, children }: { architectures: CatalogEntry[]; children: ReactNode }) {
  const client = useQueryClient();
  useState(() => client.setQueryData(catalogQuery.queryKey, architectures));
  return children;
}
