import { randomUUID } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { AppError, invalid } from '#lib/errors';
import { requireScope } from '#lib/http/caller';
import { errorResponse } from '#lib/http/error-response';
import { findFlaws } from '#lib/http/find-flaws';
import { asReader } from '#lib/http/limit-reads';
import { parsePart } from '#lib/http/parse-part';
import { shown } from '#lib/issue';
import { toAgentError } from '#lib/mcp/agent-error';
import type { Tool, ToolCall } from '#lib/mcp/tool';
import { tools } from '#lib/mcp/tools';

/** Whether a tool only reads, and answers without waiting for an event. */
export const readsAtOnce = (name: string): boolean => Object.hasOwn(tools, name) && isRead(tools[name]!);

const isRead = ({ annotations, waits }: Tool): boolean => annotations.readOnlyHint === true && !waits;

/** Calls a tool and returns its answer. A refusal is an answer too, with the error code and message of the API. */
export async function callTool(name: string, args: object = {}, call: ToolCall): Promise<CallToolResult> {
  try {
    const tool = getTool(name);
    const { run, input, scope, invalid: code = 'invalid_request' } = tool;
    requireScope(call.caller, scope);
    const flaws = findFlaws(args);
    if (flaws.length) throw invalid(code, flaws);
    // some clients send null for arguments that a model leaves out; null has no meaning for any argument
    const given = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
    const parsed = parsePart({ invalid: code }, 'body', input, given);
    const make = () => run(parsed as never, call);
    const answered = isRead(tool) ? asReader(call.caller.accountId, call.signal, make) : make();
    const { structured, content = [], isError = false } = await answered;
    return { ...answer(structured), content: [...answer(structured).content, ...content], isError };
  } catch (error) {
    return { ...answer(await refusal(error, call)), isError: true };
  }
}

function getTool(name: string): Tool {
  if (Object.hasOwn(tools, name)) return tools[name]!;
  throw new AppError('invalid_request', `There is no tool ${shown(name)}. There are ${Object.keys(tools).join(', ')}.`);
}

/** Returns the content as structured data, and as text for clients that read only text. */
const answer = (structured: object) => ({
  structuredContent: { ...structured },
  content: [{ type: 'text' as const, text: JSON.stringify(structured) }],
});

interface Refusal {
  error: { code: string; gems_required?: number };
}

/** Returns the error that the API would answer, with facts that API clients get from headers or other operations. */
async function refusal(error: unknown, { caller, signal }: ToolCall): Promise<object> {
  const request_id = randomUUID();
  const response = errorResponse(error, request_id, signal);
  const { error: refused } = (await response.json()) as Refusal;
  const retryAfter = response.headers.get('retry-after');
  return {
    error: {
      ...(await toAgentError(refused, caller)),
      // a model does not see response headers
      ...(response.status >= 500 && { request_id }),
      ...(retryAfter && { retry_after_seconds: Number(retryAfter) }),
    },
  };
}
