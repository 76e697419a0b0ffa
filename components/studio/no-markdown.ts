import type { ReactNode } from 'react';

/** Replaces `markdown-to-jsx`, which @rjsf/core loads for Markdown descriptions: ours are plain text. Saves 32 kB. */
export const Markdown = ({ children }: { children: ReactNode }) => children;
