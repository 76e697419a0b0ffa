import { Server } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Caller } from '#lib/accounts/callers';
import { callTool } from '#lib/mcp/call-tool';
import { tools } from '#lib/mcp/tools';

const INSTRUCTIONS =
  'Pomona makes images, video and audio for gems. The way: list_models and get_model, estimate_cost and tell the person the price, generate, then get_request with wait_seconds until it is completed or failed. When gems or a budget are short, say to the person what tell_the_person of the error says, instead of trying again.';

/** First protocol revision with `resource_link`: clients of earlier ones cannot read an answer that contains one. */
const LINKS_SINCE = '2025-06-18';

const listed = Object.entries(tools).map(([name, { title, description, input, annotations }]) => ({
  name,
  title,
  description,
  // a new schema without the name of the original, which would be emitted as a $ref
  inputSchema: z.toJSONSchema(z.object(input.shape), { io: 'input' }) as { type: 'object' },
  annotations: { title, ...annotations },
}));

/** Creates the MCP server for one message of one caller; no state is kept between messages. */
export function mcpServer(caller: Caller, headers?: Headers): Server {
  // clients of that revision or later send the protocol version with every message
  const knowsLinks = (headers?.get('mcp-protocol-version') ?? '') >= LINKS_SINCE;
  const server = new Server(
    { name: 'pomona', title: 'Pomona', version: '1.0.0' },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler('tools/list', () => ({ tools: listed }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq: { _meta: meta, signal, notify } }) => {
    const progressToken = meta?.progressToken;
    const answer = await callTool(params.name, params.arguments, {
      caller,
      signal,
      report: async progress => {
        if (progressToken === undefined) return;
        await notify({ method: 'notifications/progress', params: { progressToken, ...progress } });
      },
    });
    return knowsLinks ? answer : { ...answer, content: answer.content.filter(({ type }) => type !== 'resource_link') };
  });
  return server;
}
