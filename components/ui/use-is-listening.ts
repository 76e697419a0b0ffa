import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** Whether the page is hydrated: input before that would be lost. */
export const useIsListening = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
