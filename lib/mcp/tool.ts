import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { Caller } from '#lib/accounts/callers';
import type { InvalidCode } from '#lib/errors';
import type { Scope } from '#lib/scopes';

export type Content = CallToolResult['content'];

/** Context of a tool call: its caller, and the means to report progress before the answer. */
export interface ToolCall {
  caller: Caller;
  /** Aborted when the client disconnects or cancels the call. */
  signal: AbortSignal;
  /** Reports the progress of a long call to the client; does nothing unless the client asked for progress. */
  report: (progress: { progress: number; total: number; message: string }) => Promise<void>;
}

/** Answer of a tool: `structured` is sent as data and as text, `content` is added after the text. */
export interface ToolAnswer {
  structured: object;
  content?: Content;
  /** Whether the answer describes a failure, although the call itself succeeded. */
  isError?: boolean;
}

export interface Tool {
  title: string;
  /** Scope that the caller needs, as for the API. */
  scope: Scope;
  /** Description for the model that decides whether to call the tool. */
  description: string;
  input: z.ZodObject;
  annotations: ToolAnnotations;
  /** Error code for invalid arguments; `invalid_request` by default. */
  invalid?: InvalidCode;
  /** Whether a call may wait for an event, such as the end of a request. */
  waits?: true;
  run: (args: never, call: ToolCall) => Promise<ToolAnswer>;
}

/** Defines a tool; the arguments of its `run` have the output type of its `input` schema. */
export const tool = <S extends z.ZodObject>(
  given: Omit<Tool, 'input' | 'run'> & {
    input: S;
    run: (args: z.output<S>, call: ToolCall) => Promise<ToolAnswer>;
  },
): Tool => given;

/** Annotations of a tool that only reads. */
export const READS: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };
/** Annotations of a tool that creates something and deletes nothing. */
export const ADDS: ToolAnnotations = { readOnlyHint: false, destructiveHint: false, openWorldHint: false };
/** Annotations of a tool that ends or deletes something; a second call has no further effect. */
export const ENDS: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
};
