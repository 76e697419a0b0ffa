'use client';

import { useState, type ReactNode } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { GemsOverviewWire } from '#lib/contract/account-schemas';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import type { ExampleWire } from '#lib/contract/library-schemas';
import type { RequestWire } from '#lib/contract/schemas';
import { gemsQuery } from '#lib/client/account-queries';
import { examplesQuery } from '#lib/client/library-queries';
import { liveRequestsQuery } from '#lib/client/live-requests';
import { catalogQuery } from '#lib/client/queries';

interface Answers {
  catalog?: CatalogEntry[];
  examples?: ExampleWire[];
  gems?: GemsOverviewWire;
  /** Every live request of the account. */
  live?: RequestWire[];
}

/** Gives pages what the server had at hand, so that the first render knows it, and nobody asks for it while the page comes to life. */
export function Known({ catalog, examples, gems, live, children }: Answers & { children: ReactNode }) {
  const client = useQueryClient();
  useState(() => {
    client.setQueryData(catalogQuery.queryKey, catalog);
    client.setQueryData(examplesQuery.queryKey, examples);
    client.setQueryData(gemsQuery.queryKey, gems);
    client.setQueryData(liveRequestsQuery.queryKey, live && { live, ended: [] });
  });
  return children;
}
