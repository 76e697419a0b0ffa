import { createContext } from 'react';

/** Tells the form around it that a clip is being recorded or cut: saved now, it would be lost. */
export const ClipBusy = createContext<(isBusy: boolean) => void>(() => {});
