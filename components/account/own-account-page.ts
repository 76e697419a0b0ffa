'use client';

import { createContext } from 'react';

/** Address of an operator's own account in the administration; null for other users. Provided by the shell. */
export const OwnAccountPage = createContext<string | null>(null);
