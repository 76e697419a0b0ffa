'use client';

import { useSyncExternalStore } from 'react';
import type { NewSubmission } from '#components/generations/send-visit';
import type { Axis } from '#components/matrix/axes';
import { keep, readKept } from '#components/ui/kept';
import { createSignal } from '#components/ui/store';

/** A matrix that was made in this browser: what its sides are, and the requests in its places. */
export interface Matrix {
  id: string;
  architecture: string;
  prompt: string;
  across: Axis;
  down: Axis;
  createdAt: number;
  /** Width over height of each place, row by row; null for sound. */
  aspects: (number | null)[];
  /** What each place has, row by row; null until it is accepted. */
  requests: (string | null)[];
  /** What is to be sent for each place, by its name, until it is accepted; under one key in all tabs, it is charged once. */
  left?: Record<string, NewSubmission | undefined>;
}

const STORE = 'pomona.matrices';
const MOST = 30;
const NONE: readonly Matrix[] = [];

let matrices: readonly Matrix[] | undefined;
/** Nothing can be kept: what this page knows is all there is. */
let isAlone = false;
const { subscribe, tell } = createSignal();

const read = (): readonly Matrix[] => (matrices ??= readKept(STORE, NONE));

function change(next: (list: readonly Matrix[]) => Matrix[]) {
  // another tab may have kept one meanwhile
  if (!isAlone) matrices = undefined;
  matrices = next(read()).slice(0, MOST);
  if (!keep(STORE, matrices)) isAlone = true;
  tell();
}

/** Another tab has kept something. */
export function readAgain({ key }: StorageEvent): void {
  if (key !== STORE || isAlone) return;
  matrices = undefined;
  tell();
}

/** The matrices of this browser, newest first; undefined while the server's document is drawn, which cannot know them. */
export const useMatrices = (): readonly Matrix[] | undefined => useSyncExternalStore(subscribe, read, () => undefined);

/** Remembers a matrix in which nothing is accepted yet. */
export const addMatrix = (matrix: Omit<Matrix, 'createdAt' | 'requests'>): void =>
  change(list => [{ ...matrix, createdAt: Date.now(), requests: matrix.aspects.map(() => null) }, ...list]);

export const dropMatrix = (id: string): void => change(list => list.filter(matrix => matrix.id !== id));

/** What a submission carries that fills a place. */
export const placeIn = (id: string, index: number): string => `${id}/${index}`;

/** The place that a request fills. */
export function placeOf(requestId: string): string | undefined {
  const matrix = read().find(({ requests }) => requests.includes(requestId));
  return matrix && placeIn(matrix.id, matrix.requests.indexOf(requestId));
}

export const isInMatrix = (id: string | null, requestId: string): boolean =>
  read().some(matrix => matrix.id === id && matrix.requests.includes(requestId));

/** Keeps what was accepted for a place, or what is to be sent for it, whichever page one is on by then: the visit forgets it with the tab. */
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
