import { answer } from '#lib/http/answer';
import { methods } from '#lib/http/methods';
import { serveMcp } from '#lib/mcp/serve-mcp';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: answer(serveMcp) });
