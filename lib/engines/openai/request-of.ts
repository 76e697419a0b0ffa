import type { EngineJob } from '#lib/engines/engine';
import type { OpenaiModel } from '#lib/engines/openai/options';
import { bodyOf, fillParameters, type Body, type Parameters } from '#lib/engines/parameters';
import { withFilesAsText } from '#lib/engines/remote/request-body';

interface OpenaiCall {
  path: string;
  /** Encoding of the body; defaults to a form when it contains files, and to JSON otherwise. */
  body?: 'json' | 'form';
  /** Kind of response: images in JSON, the bytes of a file, or a job to poll. */
  answer: 'files' | 'bytes' | 'job';
  /** Parameters from the API's documentation; an entry adds all others. */
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

/**
 * Returns the call of an entry. Images with reference images use the edits call, unless the entry sets its own path.
 */
const callOf = ({ call, path }: OpenaiModel, isEdit: boolean): OpenaiCall =>
  CALLS[call === 'images' && !path && isEdit ? 'edits' : call];

/** Returns all parameters that a server may be sent for a job. */
export const parametersOf = (served: OpenaiModel): Parameters[] => [
  { ...callOf(served, true).standard, ...served.parameters },
  served.sd_cpp_extra_args ?? {},
];

/** Builds the request for a job. */
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

/** Tag in a prompt from which stable-diffusion.cpp reads parameters, including file paths; removed from user input. */
const TAG = /<\/?\s*sd_cpp_extra_args\s*>/gi;

function withoutTags(text: string): string {
  const clean = text.replace(TAG, '');
  return clean === text ? text : withoutTags(clean);
}

async function extraArgs({ sd_cpp_extra_args: own }: OpenaiModel, job: EngineJob): Promise<string> {
  if (!own) return '';
  return ` <sd_cpp_extra_args>${JSON.stringify(await withFilesAsText(bodyOf(job, own)))}</sd_cpp_extra_args>`;
}
