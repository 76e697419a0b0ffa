'use client';

import { createContext } from 'react';

/** Where an operator finds their own account among all; null for everybody else. The shell says it. */
export const OwnAccountPage = createContext<string | null>(null);
