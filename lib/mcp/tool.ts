import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { Caller } from '#lib/accounts/callers';
import type { InvalidCode } from '#lib/errors';
import type { Scope } from '#lib/scopes';

export type Content = CallToolResult['content'];

/** Who calls a tool, and how it speaks to them before it answers. */
export interface ToolCall {
  caller: Caller;
  /** Aborted when the client is gone or takes the call back. */
  signal: AbortSignal;
  /** Tells the client how far a long call is; nothing happens when it did not ask for that. */
  report: (progress: { progress: number; total: number; message: string }) => Promise<void>;
}

/** What a client reads: `structured` as data and as text, and what stands beside the text. */
export interface ToolAnswer {
  structured: object;
  content?: Content;
  /** The call did what was asked, and what it tells of went wrong. */
  isError?: boolean;
}

export interface Tool {
  title: string;
  /** What the caller must be allowed to do, as at the API. */
  scope: Scope;
  /** For the model that decides whether to call it. */
  description: string;
  input: z.ZodObject;
  annotations: ToolAnnotations;
  /** The code of arguments that are wrong, where it is not `invalid_request`. */
  invalid?: InvalidCode;
  /** A call may wait for something to happen. */
  waits?: true;
  run: (args: never, call: ToolCall) => Promise<ToolAnswer>;
}

/** A tool whose `run` gets what its `input` lets through. */
export const tool = <S extends z.ZodObject>(
  given: Omit<Tool, 'input' | 'run'> & {
    input: S;
    run: (args: z.output<S>, call: ToolCall) => Promise<ToolAnswer>;
  },
): Tool => given;

/** Looks only. */
export const READS: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };
/** Adds something and takes nothing away. */
export const ADDS: ToolAnnotations = { readOnlyHint: false, destructiveHint: false, openWorldHint: false };
/** Ends something; again, nothing more happens. */
export const ENDS: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
};
