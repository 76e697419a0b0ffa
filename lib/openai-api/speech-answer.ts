import { bodyOfStream } from '#lib/http/body-of-stream';
import { hasResult } from '#lib/generations/has-result';
import type { Submitted } from '#lib/generations/submit';
import { notMadeAnswer } from '#lib/openai-api/openai-error';
import { priceHeaders } from '#lib/openai-api/submit-all';
import { FIRST_BYTE_SECONDS, untilFinal } from '#lib/openai-api/until-final';
import { storage } from '#lib/storage/store';

/** Answers with the audio file once it is made. */
export async function speechAnswer(made: Submitted, request: Request): Promise<Response> {
  const final = await untilFinal(made.generation, request.signal, FIRST_BYTE_SECONDS);
  const headers = priceHeaders([made]);
  if (!hasResult(final)) return notMadeAnswer(final, headers, request);
  const { result } = final;
  const facts = { 'content-type': result.contentType, 'content-length': String(result.bytes) };
  return new Response(bodyOfStream(await storage().get(result.key)), { headers: { ...headers, ...facts } });
}
