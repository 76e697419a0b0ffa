import { randomUUID } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Caller } from '#lib/accounts/callers';
import { readBudgetLeft } from '#lib/accounts/key-spending';
import { readBalance } from '#lib/accounts/ledger';
import { env } from '#lib/env';
import { AppError, invalid } from '#lib/errors';
import { requireScope } from '#lib/http/caller';
import { errorResponse } from '#lib/http/error-response';
import { findFlaws } from '#lib/http/find-flaws';
import { asReader } from '#lib/http/limit-reads';
import { parsePart } from '#lib/http/parse-part';
import { shown } from '#lib/issue';
import type { Tool, ToolCall } from '#lib/mcp/tool';
import { tools } from '#lib/mcp/tools';

/** Whether a tool only reads, and does not wait for anything to happen. */
export const readsAtOnce = (name: string): boolean => Object.hasOwn(tools, name) && isRead(tools[name]!);

const isRead = ({ annotations, waits }: Tool): boolean => annotations.readOnlyHint === true && !waits;

/** What a call of a tool answers; a refusal is an answer too, with the code and the message of the API. */
export async function callTool(name: string, args: object = {}, call: ToolCall): Promise<CallToolResult> {
  try {
    const tool = getTool(name);
    const { run, input, scope, invalid: code = 'invalid_request' } = tool;
    requireScope(call.caller, scope);
    const flaws = findFlaws(args);
    if (flaws.length) throw invalid(code, flaws);
    // some programs write null for what a model leaves out; no argument means anything by it
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

/** As data, and for clients that know text only. */
const answer = (structured: object) => ({
  structuredContent: { ...structured },
  content: [{ type: 'text' as const, text: JSON.stringify(structured) }],
});

interface Refusal {
  error: { code: string; gems_required?: number };
}

/** What messages of the API name, by the names that an agent sees. */
export const inOwnNames = (text: string): string =>
  text
    .replaceAll('Idempotency-Key', 'idempotency_key')
    .replaceAll('GET /v1/architectures', 'list_models')
    .replaceAll('POST /v1/uploads', 'create_upload');

/** What the API would answer, and what its headers and other operations would tell. */
async function refusal(error: unknown, { caller, signal }: ToolCall): Promise<object> {
  const request_id = randomUUID();
  const response = errorResponse(error, request_id, signal);
  const { error: refused } = JSON.parse(inOwnNames(await response.text())) as Refusal;
  const retryAfter = response.headers.get('retry-after');
  return {
    error: {
      ...refused,
      // a model sees no header
      ...(response.status >= 500 && { request_id }),
      ...(retryAfter && { retry_after_seconds: Number(retryAfter) }),
      ...(refused.gems_required !== undefined && (await shortage(refused.gems_required, caller))),
    },
  };
}

/** What is there, and in which words to ask for more. */
async function shortage(gems: number, caller: Caller): Promise<object> {
  const { BASE_URL } = env();
  const balance = await readBalance(caller.accountId);
  const left = await readBudgetLeft(caller);
  // a refusal that is replayed: there is enough by now, and its message says how to go on
  if (gems <= Math.min(balance, left)) return { balance };
  const tell_the_person =
    left < gems
      ? `This needs ${gems} gems, and ${left} are left of the ${caller.monthlyBudget} a month that you let me spend. Raise the budget at ${BASE_URL}/account/api, or let me wait until the first of next month.`
      : `This needs ${gems} gems, and the account has ${balance}. Get more at ${BASE_URL}/account/gems, or let me try something cheaper.`;
  return { balance, tell_the_person };
}
