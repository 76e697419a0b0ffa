import { Readable } from 'node:stream';
import type { Generation } from '#lib/life/generation';
import { priceHeaders, untilFinal } from '#lib/openai-api/make';
import { notMade } from '#lib/openai-api/openai-error';
import { storage } from '#lib/storage/store';

/** A proxy in front waits little longer for a first byte. */
const MOST_SECONDS = 60;

/** The sound itself, once it is made. */
export async function speechAnswer(made: Generation, signal: AbortSignal): Promise<Response> {
  const final = await untilFinal(made, signal, MOST_SECONDS);
  const { result } = final;
  const headers = priceHeaders([made]);
  // what their clients send again by themselves would be paid again
  if (!result)
    return Response.json(notMade(final), { status: 500, headers: { ...headers, 'x-should-retry': 'false' } });
  const file = Readable.toWeb(await storage().get(result.key)) as ReadableStream;
  const facts = { 'content-type': result.contentType, 'content-length': String(result.bytes) };
  return new Response(file, { headers: { ...headers, ...facts } });
}
