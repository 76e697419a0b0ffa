import { createContext } from 'react';

/** Tells the surrounding form that a clip is being recorded, read or cut, which saving now would lose. */
export const ClipBusy = createContext<(isBusy: boolean) => void>(() => {});
