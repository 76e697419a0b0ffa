import { hasResult } from '#lib/generations/has-result';
import type { Shown } from '#lib/generations/read';
import type { Submitted } from '#lib/generations/submit';
import { notMade, notMadeAnswer } from '#lib/openai-api/openai-error';
import { patientJson } from '#lib/openai-api/patient-json';
import { priceHeaders } from '#lib/openai-api/submit-all';
import { FIRST_BYTE_SECONDS, untilFinal } from '#lib/openai-api/until-final';
import { stopping } from '#lib/process/stopping';
import { isFinal } from '#lib/status';
import { inBase64 } from '#lib/storage/in-base64';
import { storage } from '#lib/storage/store';

/** URLs, bytes, or both when unset: clients that ask for neither may expect either. */
type Format = 'url' | 'b64_json' | null | undefined;

/** Answers with the images once they are made; a long answer is streamed to keep the connection open. */
export async function imagesAnswer(made: Submitted[], format: Format, request: Request): Promise<Response> {
  const { signal } = request;
  const headers = priceHeaders(made);
  const soon = await Promise.all(made.map(({ generation }) => untilFinal(generation, signal, FIRST_BYTE_SECONDS)));
  const lacking = lackingOf(soon);
  const waits = lacking && !isFinal(lacking.status) && !stopping().signal.aborted;
  if (lacking && !waits) return notMadeAnswer(lacking, headers, request);
  return patientJson(imagesJson(soon, format, signal), { headers });
}

/** Returns a request that is not final, or the first request when none has a result. */
const lackingOf = (made: Shown[]): Shown | undefined =>
  made.find(({ status }) => !isFinal(status)) ?? (made.some(hasResult) ? undefined : made[0]);

async function* imagesJson(made: Shown[], format: Format, signal: AbortSignal) {
  const all = await Promise.all(made.map(one => untilFinal(one, signal)));
  const lacking = lackingOf(all);
  if (lacking) {
    yield JSON.stringify(notMade(lacking));
    return;
  }
  const results = all.filter(hasResult).map(({ result }) => result);
  const first = results[0]!;
  const facts = {
    created: Math.floor(Date.now() / 1000),
    size: `${first.width}x${first.height}`,
    output_format: 'png',
  };
  yield `${JSON.stringify(facts).slice(0, -1)},"data":[`;
  for (const [index, { key }] of results.entries()) {
    if (index > 0) yield ',';
    const address = JSON.stringify({ url: storage().url(key) });
    if (format === 'url') yield address;
    else {
      yield format ? '{"b64_json":"' : `${address.slice(0, -1)},"b64_json":"`;
      yield* inBase64(await storage().get(key));
      yield '"}';
    }
  }
  yield ']}';
}
