import type { EngineJob } from '#lib/engines/engine';
import type { OpenaiModel } from '#lib/engines/openai/options';
import { bodyOf, fillParameters, type Body, type Parameters } from '#lib/engines/parameters';
import { withFilesAsText } from '#lib/engines/remote/request-body';

interface OpenaiCall {
  path: string;
  /** When left out: a form when files travel along. */
  body?: 'json' | 'form';
  /** A picture or more in JSON; the bytes of a file; or a job to be asked for. */
  answer: 'files' | 'bytes' | 'job';
  /** What the API's own documentation knows; everything else is the entry's to say. */
  standard: Parameters;
}

const PICTURE: Parameters = {
  prompt: { from: 'prompt' },
  n: { value: 1 },
  size: { from: 'output.size' },
  response_format: { value: 'b64_json' },
};

const CALLS: Record<OpenaiModel['call'] | 'edits', OpenaiCall> = {
  images: { path: '/v1/images/generations', body: 'json', answer: 'files', standard: PICTURE },
  edits: {
    path: '/v1/images/edits',
    body: 'form',
    answer: 'files',
    standard: { ...PICTURE, 'image[]': { from: 'input.reference', list: true } },
  },
  videos: {
    path: '/v1/videos',
    answer: 'job',
    standard: {
      prompt: { from: 'prompt' },
      size: { from: 'output.size' },
      seconds: { from: 'output.duration', step: 1, type: 'string' },
      input_reference: { from: 'input.first_frame' },
    },
  },
  speech: {
    path: '/v1/audio/speech',
    body: 'json',
    answer: 'bytes',
    standard: { input: { from: 'prompt' }, voice: { value: 'alloy' }, response_format: { value: 'mp3' } },
  },
  audio: {
    path: '/v1/audio/generate',
    body: 'json',
    answer: 'bytes',
    standard: {
      input: { from: 'prompt' },
      audio_length: { from: 'output.duration' },
      response_format: { value: 'mp3' },
    },
  },
};

export interface OpenaiRequest extends Omit<OpenaiCall, 'standard'> {
  parameters: Body;
}

/** Pictures are made by another call from others than from none, where the server has its paths from the standard. */
const callOf = ({ call, path }: OpenaiModel, isEdit: boolean): OpenaiCall =>
  CALLS[call === 'images' && !path && isEdit ? 'edits' : call];

/** Everything that a server may be sent of a job. */
export const parametersOf = (served: OpenaiModel): Parameters[] => [
  { ...callOf(served, true).standard, ...served.parameters },
  served.sd_cpp_extra_args ?? {},
];

/** What is asked of the server for a job. */
export async function requestOf(served: OpenaiModel, job: EngineJob): Promise<OpenaiRequest> {
  const isEdit = job.inputs.some(({ role }) => role === 'reference');
  const { standard, ...call } = callOf(served, isEdit);
  const own = { ...(served.model !== undefined && { model: { value: served.model } }), ...served.parameters };
  const parameters = fillParameters(job, standard, own, served.sd_cpp_extra_args);
  const extra = await extraArgs(served, job);
  for (const name of ['prompt', 'input']) {
    const text = parameters[name];
    if (typeof text === 'string') parameters[name] = withoutTags(text) + extra;
  }
  const { path = call.path, body = call.body } = served;
  return { answer: call.answer, path, ...(body && { body }), parameters };
}

/** stable-diffusion.cpp takes parameters out of a prompt, files to load among them: whoever writes one must not reach them. */
const TAG = /<\/?\s*sd_cpp_extra_args\s*>/gi;

function withoutTags(text: string): string {
  const clean = text.replace(TAG, '');
  return clean === text ? text : withoutTags(clean);
}

async function extraArgs({ sd_cpp_extra_args: own }: OpenaiModel, job: EngineJob): Promise<string> {
  if (!own) return '';
  return ` <sd_cpp_extra_args>${JSON.stringify(await withFilesAsText(bodyOf(job, own)))}</sd_cpp_extra_args>`;
}
