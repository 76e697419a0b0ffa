import type { ReactNode } from 'react';

/** Stands in for `markdown-to-jsx`, which @rjsf/core loads for descriptions in Markdown: ours are plain text. 32 kB less to load. */
export const Markdown = ({ children }: { children: ReactNode }) => children;
