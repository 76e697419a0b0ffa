'use client';

import { useQuery } from '@tanstack/react-query';
import { liveRequestsQuery, type LiveLook } from '#lib/client/live-requests';
import type { RequestWire } from '#lib/contract/schemas';

const NONE: readonly RequestWire[] = [];
const liveOf = ({ live }: LiveLook) => live;

/** Every live request of the account, as the page's one poll sees them. */
export const useLive = (): readonly RequestWire[] => useQuery({ ...liveRequestsQuery, select: liveOf }).data ?? NONE;
