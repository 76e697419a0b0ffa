'use client';

import { useSyncExternalStore } from 'react';
import type { NewSubmission } from '#components/generations/send-visit';
import type { Axis } from '#components/matrix/axes';
import { keep, readKept } from '#components/ui/kept';
import { createSignal } from '#components/ui/store';

/** A matrix made in this browser: its sides, and the requests in its places. */
export interface Matrix {
  id: string;
  architecture: string;
  prompt: string;
  across: Axis;
  down: Axis;
  createdAt: number;
  /** Aspect ratio (width / height) of each place, row by row; null for audio. */
  aspects: (number | null)[];
  /** Request id of each place, row by row; null until one is accepted. */
  requests: (string | null)[];
  /** Submissions that are not accepted yet, by place; all tabs use the same key, so that each is charged once. */
  left?: Record<string, NewSubmission | undefined>;
}

const STORE = 'pomona.matrices';
const MOST = 30;
const NONE: readonly Matrix[] = [];

let matrices: readonly Matrix[] | undefined;
/** Whether storage failed, so that matrices are known to this page only. */
let isAlone = false;
const { subscribe, tell } = createSignal();

const read = (): readonly Matrix[] => (matrices ??= readKept(STORE, NONE));

function change(next: (list: readonly Matrix[]) => Matrix[]) {
  // another tab may have stored a matrix meanwhile
  if (!isAlone) matrices = undefined;
  matrices = next(read()).slice(0, MOST);
  if (!keep(STORE, matrices)) isAlone = true;
  tell();
}

/** Handles a `storage` event, by which another tab reports a change. */
export function readAgain({ key }: StorageEvent): void {
  if (key !== STORE || isAlone) return;
  matrices = undefined;
  tell();
}

/** Returns the matrices of this browser, newest first; undefined on the server and during hydration. */
export const useMatrices = (): readonly Matrix[] | undefined => useSyncExternalStore(subscribe, read, () => undefined);

/** Stores a matrix of which nothing is accepted yet. */
export const addMatrix = (matrix: Omit<Matrix, 'createdAt' | 'requests'>): void =>
  change(list => [{ ...matrix, createdAt: Date.now(), requests: matrix.aspects.map(() => null) }, ...list]);

export const dropMatrix = (id: string): void => change(list => list.filter(matrix => matrix.id !== id));

/** Returns the name of a place, which a submission that fills it carries. */
export const placeIn = (id: string, index: number): string => `${id}/${index}`;

/** Returns the name of the place that a request fills. */
export function placeOf(requestId: string): string | undefined {
  const matrix = read().find(({ requests }) => requests.includes(requestId));
  return matrix && placeIn(matrix.id, matrix.requests.indexOf(requestId));
}

export const isInMatrix = (id: string | null, requestId: string): boolean =>
  read().some(matrix => matrix.id === id && matrix.requests.includes(requestId));

/**
 * Stores the accepted request of a place, or what is still to be sent for it, whatever page is shown: the visit itself
 * is lost with the tab.
 */
export const notePlace = (place: string, requestId: string | undefined, left?: NewSubmission): void =>
  change(list =>
    list.map(matrix => {
      const { id, requests } = matrix;
      const index = requests.findIndex((_, at) => placeIn(id, at) === place);
      if (index < 0) return matrix;
      return {
        ...matrix,
        requests: requests.with(index, requestId ?? requests[index]!),
        left: { ...matrix.left, [place]: left },
      };
    }),
  );
