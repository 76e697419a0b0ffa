import type { Generation } from '#lib/life/generation';
import { FIRST_BYTE_SECONDS, priceHeaders, untilFinal } from '#lib/openai-api/make';
import { notMade, notMadeAnswer } from '#lib/openai-api/openai-error';
import { patientJson } from '#lib/openai-api/patient-json';
import { isFinal } from '#lib/status';
import { inBase64 } from '#lib/storage/in-base64';
import { storage } from '#lib/storage/store';

/** Their addresses, their bytes, or both: some clients look for one without asking for it, others for the other. */
type Format = 'url' | 'b64_json' | null | undefined;

/** The pictures once they are made; what takes long is answered piece by piece. */
export async function imagesAnswer(made: Generation[], format: Format, signal: AbortSignal): Promise<Response> {
  const headers = priceHeaders(made);
  const soon = await Promise.all(made.map(one => untilFinal(one, signal, FIRST_BYTE_SECONDS)));
  if (soon.every(({ status, result }) => isFinal(status) && !result)) return notMadeAnswer(soon[0]!, headers);
  return patientJson(imagesJson(soon, format, signal), { headers });
}

async function* imagesJson(made: Generation[], format: Format, signal: AbortSignal) {
  const all = await Promise.all(made.map(one => untilFinal(one, signal)));
  const results = all.flatMap(({ result }) => result ?? []);
  const [first] = results;
  if (!first) {
    yield JSON.stringify(notMade(all[0]!));
    return;
  }
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
