import { ReadableStream as NodeStream } from 'node:stream/web';
import type { Operation } from '#lib/contract/operation';
import { env } from '#lib/env';
import { baseHeaders } from '#lib/http/base-headers';
import { checkAnswer } from '#lib/http/check-answer';
import { etagOf } from '#lib/http/etagged';
import { jsonResponse } from '#lib/http/json-response';

/** Returns an operation's response as JSON or JSON lines, checked against the contract where that is on. */
export async function respond(
  operation: Operation,
  request: Request,
  { status, body, headers: extra }: { status: number; body: unknown; headers: Record<string, string> | undefined },
  requestId: string,
): Promise<Response> {
  const schema = operation.responses[status];
  if (schema === undefined) throw new Error(`${operation.path} answered ${status}, which its contract does not have`);
  const check = (part: unknown) => env().CHECK_RESPONSES === 'on' && schema && checkAnswer(schema, part);
  const headers: Record<string, string> = { ...baseHeaders(requestId), 'cache-control': 'no-store', ...extra };
  if (schema === null) return new Response(null, { status, headers });
  if (operation.lines) {
    headers['content-type'] = 'application/x-ndjson; charset=utf-8';
    return new Response(linesOf(body as AsyncIterable<unknown>, check), { status, headers });
  }
  check(body);
  const text = JSON.stringify(body);
  // operations that declare 304 get an ETag
  if (operation.responses[304] === null) headers.etag ??= etagOf(text);
  return jsonResponse(request, text, { status, headers });
}

/** Streams each part as a line of its own. The iteration ends when the client disconnects. */
function linesOf(parts: AsyncIterable<unknown>, check: (part: unknown) => void): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  async function* lines() {
    for await (const part of parts) {
      check(part);
      yield encoder.encode(`${JSON.stringify(part)}\n`);
    }
  }
  return NodeStream.from(lines()) as ReadableStream<Uint8Array>;
}
