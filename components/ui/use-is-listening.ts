import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** Whether what the server drew answers already: what is typed or chosen before that would be lost. */
export const useIsListening = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
