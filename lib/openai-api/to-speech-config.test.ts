import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createAccount } from '#lib/accounts/accounts';
import { createCharacter } from '#lib/cast/characters';
import { parseMentions } from '#lib/cast/parse-mentions';
import { setVisibility } from '#lib/cast/publish';
import { newCharacter } from '#lib/contract/cast-schemas';
import { useOwnDatabase } from '#lib/db/test-database';
import { newId } from '#lib/ids';
import { dataUrl, makeImage, makeWav } from '#lib/media/media-test-files';
import { getModel } from '#lib/openai-api/models';
import { toSpeechConfig } from '#lib/openai-api/to-speech-config';

await useOwnDatabase();
process.env.DATA_DIR = await mkdtemp(join(tmpdir(), 'pomona-speech-'));
process.env.LOG_LEVEL = 'silent';

const image = dataUrl(await makeImage(64, 64).png().toBuffer());
const voice = dataUrl(makeWav(1));

const someone = async () => (await createAccount({ email: `${newId()}@example.com` })).id;
const speak = (accountId: string, input: string, voice?: string): Promise<Record<string, unknown>> =>
  toSpeechConfig(accountId, getModel('seed_audio'), { input, voice });

test('a plain voice name means only an own character; a character of another account needs an @', async () => {
  const [owner, other] = [await someone(), await someone()];
  const alloy = newCharacter.parse({ name: 'Alloy', handle: 'alloy', image, voice });
  const { row } = await createCharacter({ accountId: owner, mayCreateCast: true }, alloy);
  await setVisibility(owner, row.id, 'public');
  expect(await speak(other, 'Good day.', 'alloy')).toMatchObject({ prompt: 'Good day.' });
  expect(await speak(other, 'Good day.', '@alloy')).toMatchObject({ prompt: '@alloy: Good day.' });
  for (const voice of ['alloy', '@Alloy'])
    expect(await speak(owner, 'Good day.', voice)).toMatchObject({ prompt: '@alloy: Good day.' });
});

test('a character without a voice is not used as the speaker', async () => {
  const accountId = await someone();
  await createCharacter(
    { accountId, mayCreateCast: true },
    newCharacter.parse({ name: 'Mute', handle: 'mute', image }),
  );
  expect(await speak(accountId, 'Good day.', '@mute')).toMatchObject({ prompt: 'Good day.' });
});

test.each([
  [4, 100],
  [0.25, -50],
])(
  'a speed of %d maps to the nearest speech rate of the model and to a fitting duration',
  async (speed, speech_rate) => {
    const body = { input: 'a'.repeat(130), speed };
    const duration = speed > 1 ? '5' : '30';
    const config = await toSpeechConfig(await someone(), getModel('seed_audio'), body);
    expect(config).toMatchObject({ speech_rate, duration });
  },
);

test.each(['雨', 'あ', 'ア', '비'])('a character such as %s takes as long as three Latin letters', async sign => {
  const accountId = await someone();
  expect(await speak(accountId, sign.repeat(130))).toMatchObject({ duration: '30' });
  expect(await speak(accountId, 'a'.repeat(130))).toMatchObject({ duration: '10' });
});

test.each(['Follow @nobody_here today.', '雨@ana', 'write \\@ana', 'me@example.com, @5, a@b'])(
  'an @ in the input mentions no character and is spoken unchanged: %s',
  async input => {
    const prompt = String((await speak(await someone(), input)).prompt);
    expect(parseMentions(prompt)).toEqual([]);
    // as a worker unescapes the prompt
    expect(prompt.replaceAll('\\@', '@')).toBe(input);
  },
);
