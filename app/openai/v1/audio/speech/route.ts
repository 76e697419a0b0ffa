import { newSpeech, readBody } from '#lib/openai-api/bodies';
import { chooseModel } from '#lib/openai-api/models';
import { openaiMethods, openaiRoute } from '#lib/openai-api/openai-route';
import { speechAnswer } from '#lib/openai-api/speech-answer';
import { submitAll } from '#lib/openai-api/submit-all';
import { toSpeechConfig } from '#lib/openai-api/to-speech-config';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = openaiMethods({
  POST: openaiRoute('generate', async ({ request, caller }) => {
    const body = await readBody(request, newSpeech);
    const architecture = chooseModel(body.model, 'audio');
    const config = await toSpeechConfig(caller.accountId, architecture, body);
    const [made] = await submitAll({ caller, architecture, config, sentAs: { input: ['prompt'] }, request });
    return speechAnswer(made!, request);
  }),
});
