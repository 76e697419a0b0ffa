'use client';

import { createContext } from 'react';

/**
 * Whether the browser identified itself as a phone when it requested the page. There, parts that are always open
 * elsewhere are rendered on demand. Provided by the page.
 */
export const Phone = createContext(false);
