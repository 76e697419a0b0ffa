import { createContext } from 'react';

/** Closes the surrounding dialog, after asking the user if there are unsaved changes. */
export const CloseDialog = createContext(() => {});
