import type { Readable } from 'node:stream';
import type { Generation } from '#lib/life/generation';
import { priceHeaders, untilFinal } from '#lib/openai-api/make';
import { notMade } from '#lib/openai-api/openai-error';
import { patientJson } from '#lib/openai-api/patient-json';
import { storage } from '#lib/storage/store';

/** The pictures once they are made, as addresses or as their bytes. */
export const imagesAnswer = (made: Generation[], format: 'url' | 'b64_json', signal: AbortSignal): Response =>
  patientJson(imagesJson(made, format, signal), { headers: priceHeaders(made) });

async function* imagesJson(made: Generation[], format: 'url' | 'b64_json', signal: AbortSignal) {
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
    if (format === 'url') yield JSON.stringify({ url: storage().url(key) });
    else {
      yield '{"b64_json":"';
      yield* base64(await storage().get(key));
      yield '"}';
    }
  }
  yield ']}';
}

/** In pieces of whole triples, so that no picture is held as a whole. */
async function* base64(file: Readable): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of file) {
    const bytes = Buffer.concat([rest, chunk as Buffer]);
    const whole = bytes.length - (bytes.length % 3);
    yield bytes.toString('base64', 0, whole);
    rest = bytes.subarray(whole);
  }
  yield rest.toString('base64');
}
