import { createContext } from 'react';

/** Tells the form around it that a clip is being recorded, read or cut: saved now, it would be lost. */
export const ClipBusy = createContext<(isBusy: boolean) => void>(() => {});
