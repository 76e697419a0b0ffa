import { castTools } from '#lib/mcp/cast-tools';
import { catalogTools } from '#lib/mcp/catalog-tools';
import { requestTools } from '#lib/mcp/request-tools';
import type { Tool } from '#lib/mcp/tool';

/** All tools by name, in the order in which `tools/list` returns them. */
export const tools: Record<string, Tool> = { ...catalogTools, ...requestTools, ...castTools };
