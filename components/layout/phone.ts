'use client';

import { createContext } from 'react';

/**
 * Whether the browser called itself a phone when it asked for the page: what stands open elsewhere is drawn there when it is called up.
 * The page says it.
 */
export const Phone = createContext(false);
