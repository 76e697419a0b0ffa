'use client';

import { useQuery } from '@tanstack/react-query';
import { liveRequestsQuery, type LiveLook } from '#lib/client/live-requests';
import type { RequestWire } from '#lib/contract/schemas';

const NONE: readonly RequestWire[] = [];
const liveOf = ({ live }: LiveLook) => live;
const countOf = ({ live }: LiveLook) => live.length;

/** Returns the live requests of the account, from the single poll of the page. */
export const useLive = (): readonly RequestWire[] => useQuery({ ...liveRequestsQuery, select: liveOf }).data ?? NONE;

/** Returns only the number of live requests, so that their progress causes no render. */
export const useLiveCount = (): number => useQuery({ ...liveRequestsQuery, select: countOf }).data ?? 0;
