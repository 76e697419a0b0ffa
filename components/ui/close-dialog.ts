import { createContext } from 'react';

/** Closes the dialog around, once who fills it in has been asked where that is wanted. */
export const CloseDialog = createContext(() => {});
