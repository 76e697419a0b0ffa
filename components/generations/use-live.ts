'use client';

import { useQuery } from '@tanstack/react-query';
import { liveRequestsQuery, type LiveLook } from '#lib/client/live-requests';
import type { RequestWire } from '#lib/contract/schemas';

const NONE: readonly RequestWire[] = [];
const liveOf = ({ live }: LiveLook) => live;
const countOf = ({ live }: LiveLook) => live.length;

/** Every live request of the account, as the page's one poll sees them. */
export const useLive = (): readonly RequestWire[] => useQuery({ ...liveRequestsQuery, select: liveOf }).data ?? NONE;

/** How many there are; whoever asks for no more is not drawn again while they grow. */
export const useLiveCount = (): number => useQuery({ ...liveRequestsQuery, select: countOf }).data ?? 0;
