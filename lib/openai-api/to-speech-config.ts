import type { z } from 'zod';
import { escapeMentions } from '#lib/cast/parse-mentions';
import { findMentionable } from '#lib/cast/find-mentionable';
import type { Architecture } from '#lib/catalog/catalog-file';
import type { newSpeech } from '#lib/openai-api/bodies';
import { ownFields, toConfig } from '#lib/openai-api/to-config';

/** Letters spoken per second. */
const LETTERS = 14;

/** Counts letters; a character of a script that writes a syllable or more with one character counts as three. */
const lettersOf = (input: string): number =>
  input.replace(/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/gu, 'abc').length;

/** Returns a config that speaks the text at the given speed, in the voice of a character or of an audio reference. */
export async function toSpeechConfig(accountId: string, architecture: Architecture, body: z.output<typeof newSpeech>) {
  const { input, voice, speed } = body;
  const handle = voice?.replace(/^@/, '').toLowerCase() ?? '';
  const speaker = (await findMentionable(accountId, [handle])).get(handle);
  // without @, a name may be a voice of the OpenAI API, so another account's public character of that name is not used
  const isMeant = speaker?.isOwn || voice?.startsWith('@');
  const text = escapeMentions(input);
  const prompt = speaker?.soundId && isMeant ? `@${handle}: ${text}` : text;
  const rate = architecture.fields.speech_rate;
  const pace = rate && speed ? Math.min(rate.maximum ?? 0, Math.max(rate.minimum ?? 0, (speed - 1) * 100)) : 0;
  const own = { ...(pace !== 0 && { speech_rate: pace }), ...ownFields(architecture, body), prompt };
  return toConfig(architecture, { seconds: lettersOf(input) / LETTERS / (1 + pace / 100), own });
}
